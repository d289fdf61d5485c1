"""The facts in the pages for authors, taken from the engine and the protocol so that the pages cannot drift."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from arena.site.author_kit import house_file_name
from games.catalogue import GAMES
from games.game import CatalogueGame, HouseBot
from games.house import stand_in
from games.protocol import MIB, Limits
from games.ruleset import Option, Ruleset
from games.table import Table

SAMPLE_SEED: Final = bytes(range(16))
SAMPLE_PLAYERS: Final = 3  # or as near to it as the game allows
SAMPLE_ACTIONS: Final = 26  # by then there are tiles in front of the players


@dataclass(frozen=True, slots=True)
class ExampleGame:
    """A game in a line, and for how many players it is."""

    ruleset: Ruleset
    fewest: int
    most: int
    tagline: str


@dataclass(frozen=True, slots=True)
class LimitRow:
    """A limit in words; ``value`` with its unit."""

    name: str
    label: Any
    value: str


@dataclass(frozen=True, slots=True)
class OptionRow:
    """An option of a game; ``choices`` in words and as they are written, the default first. A form lists none."""

    name: str
    option: Option
    default: str  # as it is written
    choices: tuple[tuple[str, str], ...]


def _seconds(value: float) -> str:
    return f"{value:g} s"


def _size(value: float) -> str:
    return f"{int(value) // MIB} MiB" if value >= MIB else f"{int(value)} B"


LIMITS: Final[Mapping[str, tuple[Any, Callable[[float], str]]]] = {
    "start_cpu": (_("processor time to start: import, and Bot(table)"), _seconds),
    "start_wall": (_("time on the clock to start"), _seconds),
    "act_cpu": (_("processor time for one action"), _seconds),
    "act_wall": (_("time on the clock for one action"), _seconds),
    "game_cpu": (_("processor time for a whole game"), _seconds),
    "game_wall": (_("time on the clock for a whole game"), _seconds),
    "memory": (_("memory"), _size),
    "output": (_("printed output kept for each action"), _size),
    "action_bytes": (_("length of an action"), _size),
}


def game_rows() -> list[ExampleGame]:
    """Return every game that the platform plays."""
    return [
        ExampleGame(game.current, game.current.usual_seats[0], game.current.usual_seats[-1], gettext(game.tagline))
        for game in GAMES.values()
    ]


def house_files() -> list[tuple[CatalogueGame, list[tuple[HouseBot, str, str]]]]:
    """Return the house bots of every game, weakest first, with their files: name at home, and content."""
    return [
        (game, [(bot, house_file_name(bot), bot.source().decode()) for bot in game.house_bots])
        for game in GAMES.values()
    ]


def limit_rows() -> list[LimitRow]:
    """Return the limits of every game unless its organiser has set others."""
    return [LimitRow(name, LIMITS[name][0], LIMITS[name][1](value)) for name, value in Limits().to_dict().items()]


def option_rows(ruleset: Ruleset) -> list[OptionRow]:
    """Return the options of a game in their order."""
    return [
        OptionRow(name, option, option.write(option.default), () if option.form else _choices(option))
        for name, option in ruleset.options.items()
    ]


def _choices(option: Option) -> tuple[tuple[str, str], ...]:
    default_first = sorted(option.allowed, key=lambda one: one != option.default)
    return tuple((option.say(one), option.write(one)) for one in default_first)


def sample_view(ruleset: Ruleset) -> str:
    """Return what the actor of a real position sees, as JSON with one key a line: in a short game, that of its last
    action.
    """
    players = sorted((ruleset.usual_seats[0], SAMPLE_PLAYERS, ruleset.usual_seats[-1]))[1]
    table, play_on = Table(ruleset, players, {}, SAMPLE_SEED), stand_in(ruleset.name)
    view = table.view(table.actor)
    for _number in range(SAMPLE_ACTIONS):
        table.play(play_on(view))
        if table.over:
            break
        view = table.view(table.actor)
    lines = (f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in view.items())
    return "{\n" + ",\n".join(lines) + "\n}"
