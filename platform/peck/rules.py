"""``peck rules``: print what a bot must know about a game as Markdown, or the JSON schema of its views.

The rules in prose are a page of the site. The site adds that page, without its layout, to the kit that it offers.
"""

import argparse
import json
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Final

from games.catalogue import FIRST, GAMES, UnknownRuleset, ruleset_find_or_current
from games.game import CatalogueGame
from games.protocol import Limits
from games.ruleset import Option, Ruleset
from games.schema import schema_keys
from peck import OK, USAGE
from peck.cli import Commands, cli_complain
from peck.project import ProjectError, project_game

TEXTS: Final = "texts"
CONTRACT: Final = """## A bot

One file `bot.py`, or a folder with it. It defines `act`, which is called whenever its seat is to act:

```python
def act(view: dict) -> str:
    return view["actions"][0]  # one of view["actions"], exactly as it stands there
```

Or a class, made for every game, for bots with a memory:

```python
class Bot:
    def __init__(self, table: dict) -> None: ...  # ruleset, options, players, seat, seed
    def act(self, view: dict) -> str: ...
```

A view is plain data: dictionaries, lists, numbers, text. Python's standard library and numpy are there; no network,
no files to write, no threads, no processes. What it prints is shown to its author. A game is scored by the share of
opponents beaten, ties half; one with a fault (an exception, too slow, an action that is not offered) counts as the last
place."""


def command_add(commands: Commands) -> None:
    """Add the command to the parser of ``peck``."""
    rules = commands.add_parser("rules", help="the rules of a game and what its bots see, as Markdown")
    which = f"{', '.join(GAMES)}; or with a version, such as {FIRST}/1; by default the one in peck.json here"
    rules.add_argument("game", nargs="?", help=which)
    rules.add_argument("--schema", action="store_true", help="print the JSON schema of the views instead")
    rules.set_defaults(run=run_rules)


def run_rules(given: argparse.Namespace) -> int:
    """Print the rules or the schema."""
    try:
        ruleset = ruleset_find_or_current(given.game or project_game(Path()))
    except (UnknownRuleset, ProjectError) as error:
        cli_complain(error)
        return USAGE
    print(json.dumps(ruleset.view_schema, indent=1) if given.schema else rules_text(ruleset))
    return OK


def rules_text(ruleset: Ruleset) -> str:
    """Return all that a bot must know about the game, as Markdown."""
    prose = rules_prose(ruleset)
    parts = [f"# {ruleset.title} (`{ruleset.id}`)", _players(ruleset)]
    if prose:
        parts.append(prose)
    else:
        parts += [
            GAMES[ruleset.name].tagline,
            "\n".join(["## Options", "", *map(_option, ruleset.options, ruleset.options.values())]),
        ]
    actions = ruleset.vocabulary(ruleset.validate(ruleset.seats.start, {}))
    parts += [
        "\n".join(["## Keys of a view", "", *_keys(ruleset)]),
        _actions(GAMES[ruleset.name]),
        "## All actions\n\n" + ", ".join(f"`{one}`" for one in actions),
        CONTRACT,
        "\n".join(["## Limits", "", *(f"- `{name}`: {value}" for name, value in Limits().to_dict().items())]),
        "Seconds and bytes. `cpu` is processor time, `wall` time on the clock.",
    ]
    return "\n\n".join(filter(None, parts))


def rules_prose(ruleset: Ruleset) -> str:
    """Return the rules in prose with the options, "" if the kit has none, as in a checkout."""
    file = files(__package__).joinpath(TEXTS, f"{ruleset.name}.md")
    is_current = ruleset is GAMES[ruleset.name].current
    return file.read_text(encoding="utf-8").strip() if is_current and file.is_file() else ""


def _players(ruleset: Ruleset) -> str:
    fewest, most = ruleset.usual_seats[0], ruleset.usual_seats[-1]
    return f"{fewest} players." if fewest == most else f"{fewest} to {most} players."


def _option(name: str, option: Option) -> str:
    values = option.form.allowed if option.form else ", ".join(f"`{option.write(one)}`" for one in option.allowed)
    return f"- `{name}`: {option.label}. {option.help} Values: {values}; by default `{option.write(option.default)}`."


def _actions(game: CatalogueGame) -> str:
    lines = [f"- `{pattern}`: {text}" for pattern, text in game.actions.items()]
    return "\n".join(["## Actions", "", *lines]) if lines else ""


def _keys(ruleset: Ruleset) -> Iterator[str]:
    for path, meaning in schema_keys(ruleset.view_schema):
        yield f"- `{path}`: {meaning}" if meaning else f"- `{path}`"
