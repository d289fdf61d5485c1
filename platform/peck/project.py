"""``peck new``: create a project folder with a bot, opponents and ``peck.json``; and read that file."""

import argparse
import json
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from string import Template
from tempfile import mkdtemp
from typing import Any, Final

from games.catalogue import GAMES, PACKAGES, UnknownRuleset, current
from games.protocol import MIB, Limits
from games.ruleset import Ruleset
from games.untrusted import UntrustedError, untrusted_file_read, untrusted_json_parse
from peck import NOT_SO, OK, USAGE
from peck.bots import ENTRY, NoBotError, peck_bots_beside
from peck.cli import Commands, cli_complain, cli_complain_of_file, cli_say

FILE: Final = "peck.json"
_HERE: Final = Path()
AGENTS: Final = "AGENTS.md"
_BOT: Final = Template('''"""A bot for $title."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # for your editor: on the site there is no pecking
    from pecking.views import $view


class Bot:
    """Created for every game. ``table``: ruleset, options, players, your seat and a seed."""

    def __init__(self, table: dict) -> None:
        self.seat = table["seat"]

    def act(self, view: $view) -> str:
        """Return one of ``view["actions"]``."""
        # To explain itself in the replay: return {"action": ..., "note": "why", "marks": [...], "value": 0.6}
        return random.choice(view["actions"])  # it plays; now make it play well
''')
_README: Final = Template("""# $name

A bot for $title. `bot.py` is all that is uploaded; a folder or a zip may hold more files.$package

```
peck play $game bot.py $opponent --blocks 50    # each seed from every seat
peck check bot.py                               # what the site's check would say
cp bot.py old.py                                # before you change it, then:
peck gate $game old.py bot.py                   # is it better?
peck login SITE                                 # once, with a token from the site
peck create                                     # once; peck.json says name and game
peck upload bot.py -m "what changed"
peck join LEAGUE
```

`opponents` holds the house bots of the game, the weakest first: $opponents.$numpy

The rules, and what a view holds, are on the site's pages.
""")
_AGENTS: Final = Template("""# For agents that work in this folder

`bot.py` plays $title: it answers every view with one of `view["actions"]`. `peck rules $game` prints the rules, every
key of a view, the contract of a bot and its limits.

Repeat until it is better; `old.py` is the version before:

1. `peck check bot.py`: what the site's check would say. Repair what it refuses first.
2. `peck play $game bot.py $opponent --blocks 50 -q`: the house bots are in `opponents`, the weakest first.
3. `peck gate $game old.py bot.py`: is it better than before? Keep a change only if the answer is "better".
4. `peck upload $name bot.py -m "what changed"`: only the owner of the folder decides when, and with which account.

Limits by default: $limits. Only the standard library and numpy; no network, files, threads or processes. A fault counts
as the last place, and too many forfeit a match. All chance follows from a seed: `--seed` plays the same games again.

Bots at home run without a cage, with the rights of the user who starts them: run no file from elsewhere.

`peck mcp` offers all this as tools. A site has its docs for programs at /llms.txt.
""")


class ProjectError(Exception):
    """The folder exists, or a file in it is malformed. The message names it."""


@contextmanager
def project_folder_made_whole(folder: Path) -> Iterator[Path]:
    """Yield an empty folder, which is renamed to ``folder`` at the end of the block. So ``folder`` has all of the files
    or does not exist.

    Raises:
        ProjectError: the folder exists.
        OSError: it cannot be written.
    """
    if folder.exists() or folder.is_symlink():
        raise ProjectError(f"{folder}: exists already; nothing was written")
    folder.parent.mkdir(parents=True, exist_ok=True)
    part = Path(mkdtemp(prefix=".peck-", dir=folder.parent))
    try:
        yield part
        part.chmod(0o755)
        part.rename(folder)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise


def project_game(*bots: Path) -> str:
    """Return the game of the first ``peck.json`` beside these bots that names one.

    Raises:
        ProjectError: there is no such file, or none names a game.
        NoBotError: a path does not exist.
    """
    if missing := [one for one in bots if not one.exists()]:
        raise NoBotError(f"{missing[0]}: no such file{peck_bots_beside(missing[0])}")
    if game := project_entry("game", *bots):
        return game
    raise ProjectError(f"which game? Name it ({', '.join(GAMES)}): there is no {_files(*bots)} that says it")


def project_bot(bot: Path = _HERE) -> str:
    """Return the bot's name on a site from ``peck.json`` beside ``bot``.

    Raises:
        ProjectError: there is no such file, or it names no bot.
    """
    if name := project_entry("bot", bot):
        return name
    raise ProjectError(f"which bot? Name it (peck status lists yours): there is no {_files(bot)} that says it")


def project_note(name: str) -> None:
    """Write the bot's name on a site into ``peck.json`` of the current folder.

    Raises:
        OSError: it cannot be written.
    """
    file = _HERE / FILE
    project: Any = untrusted_json_parse(untrusted_file_read(file, 4096))
    file.write_text(json.dumps(project | {"bot": name}) + "\n", encoding="utf-8")


def project_entry(key: str, *bots: Path) -> str:
    """Return the text for ``key`` in the first ``peck.json`` beside these bots that has one, "" if none has."""
    for path in _project_files(*bots):
        try:
            project: Any = untrusted_json_parse(untrusted_file_read(path, 4096))
            found = project[key]
            if isinstance(found, str):
                return found
        except (OSError, UntrustedError, LookupError, TypeError):
            continue
    return ""


def _project_files(*bots: Path) -> list[Path]:
    return list(dict.fromkeys((bot if bot.is_dir() else bot.parent) / FILE for bot in bots))


def _files(*bots: Path) -> str:
    return " or ".join(map(str, _project_files(*bots)))


def project_name_on_site(name: str) -> str:
    """Return the name that a site puts into the address of a bot called ``name``, unless it is taken.

    >>> project_name_on_site("My Bot_2")
    'my-bot_2'
    """
    return re.sub(r"[-\s]+", "-", re.sub(r"[^a-z0-9_\s-]", "", name.lower())).strip("-_")


def _fill(ruleset: Ruleset, name: str, folder: Path) -> None:
    bots = GAMES[ruleset.name].house_bots
    alone, needy = ([bot for bot in bots if bot.needs_numpy is needs] for needs in (False, True))
    package = PACKAGES.get(ruleset.name)
    values = {
        "game": ruleset.name,
        "title": ruleset.title,
        "name": name,
        "package": f" The game is in the package {' '.join(package)}." if package else "",
        "view": f"{ruleset.name.title()}View",
        "opponents": ", ".join(f"`{bot.file_name}`" for bot in bots),
        "numpy": "".join(f" `{bot.file_name}` needs numpy: `pip install numpy`." for bot in needy),
        "opponent": f"opponents/{alone[-1].file_name}",
    }
    limits = Limits()
    seconds = f"{limits.act_cpu:g} s of processor time for an action, {limits.game_cpu:g} s for a game"
    values["limits"] = f"{seconds}, {limits.memory // MIB} MiB of memory"
    if ruleset.seats.start > 2:
        values["opponent"] = " ".join([values["opponent"]] * (ruleset.seats.start - 1))
    (folder / "opponents").mkdir()
    for bot in bots:
        (folder / "opponents" / bot.file_name).write_bytes(bot.source())
    (folder / ENTRY).write_text(_BOT.substitute(values), encoding="utf-8")
    (folder / "README.md").write_text(_README.substitute(values), encoding="utf-8")
    (folder / AGENTS).write_text(_AGENTS.substitute(values), encoding="utf-8")
    project = {"game": ruleset.name, "bot": project_name_on_site(name)}
    (folder / FILE).write_text(json.dumps(project) + "\n", encoding="utf-8")


def command_add(commands: Commands) -> None:
    """Add the command to the parser of ``peck``."""
    new = commands.add_parser("new", help="make a folder with a bot that plays, and opponents")
    new.add_argument("game", help=", ".join(GAMES))
    new.add_argument("folder", type=Path, metavar="NAME", help="the folder to create, which must not exist")
    new.set_defaults(run=run_new_project)


def run_new_project(given: argparse.Namespace) -> int:
    """Create the folder. Existing files are never overwritten."""
    try:
        ruleset = current(given.game)
        with project_folder_made_whole(given.folder) as part:
            _fill(ruleset, given.folder.name, part)
    except UnknownRuleset as error:
        cli_complain(f"{error}. A game of a package: the page of its rules on a site says how to install it")
        return USAGE
    except ProjectError as error:
        cli_complain(error)
        return USAGE
    except OSError as error:
        cli_complain_of_file(given.folder, error)
        return NOT_SO
    cli_say(f"{given.folder}: a bot that plays {given.game}; README.md says what to do next")
    return OK
