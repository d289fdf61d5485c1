"""Facts and worked examples for the docs pages, computed by the engine, so that they are always true.

The examples in each game's ``examples.json`` are test vectors: a test fails if the engine does something else."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from arena.site.game_packages import game_packages_browser_games
from games.catalogue import GAMES, catalogue_stand_in, current, find
from games.game import CatalogueGame, HouseBot
from games.protocol import MIB, Limits
from games.rule_vectors import rule_vectors_of
from games.ruleset import Option, Ruleset
from games.schema import schema_keys
from games.table import Table

SAMPLE_SEED: Final = bytes(range(16))
SAMPLE_PLAYERS: Final = 3  # players in the sample; if the game does not allow this number, the nearest that it allows
EXAMPLE_MOST: Final = 60  # characters
SAMPLE_ACTIONS: Final = 26  # actions before the sample view: enough to have tiles in front of the players


@dataclass(frozen=True, slots=True)
class LimitRow:
    """A limit in words; ``value`` includes its unit."""

    name: str
    label: Any
    value: str


@dataclass(frozen=True, slots=True)
class OptionRow:
    """An option of a game; ``choices`` are pairs of label and value, the default first, empty for options without a
    list."""

    name: str
    option: Option
    default: str  # the value
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


def docs_house_bot_files() -> list[tuple[CatalogueGame, list[tuple[HouseBot, str, str]]]]:
    """Return the house bots of every game, weakest first, each with its file name and its source."""
    return [(game, [(bot, bot.file_name, bot.source().decode()) for bot in game.house_bots]) for game in GAMES.values()]


def docs_limit_rows() -> list[LimitRow]:
    """Return the default limits of all games."""
    return [LimitRow(name, LIMITS[name][0], LIMITS[name][1](value)) for name, value in Limits().to_dict().items()]


def docs_option_rows(ruleset: Ruleset) -> list[OptionRow]:
    """Return the options of a game in order."""
    return [
        OptionRow(name, option, option.write(option.default), () if option.form else _choices(option))
        for name, option in ruleset.options.items()
    ]


def _choices(option: Option) -> tuple[tuple[str, str], ...]:
    default_first = sorted(option.allowed, key=lambda one: one != option.default)
    return tuple((option.say(one), option.write(one)) for one in default_first)


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A key of a game's views: its path, its meaning, and its value in a real game as JSON."""

    path: str
    meaning: str
    example: str


@cache
def _examples(ruleset_id: str) -> Mapping[str, str]:
    """Return for each key its first value in a real game that is neither null nor empty."""
    ruleset = find(ruleset_id)
    players = sorted((ruleset.usual_seats[0], SAMPLE_PLAYERS, ruleset.usual_seats[-1]))[1]
    table, play_on = Table(ruleset, players, {}, SAMPLE_SEED), catalogue_stand_in(ruleset.name)
    found: dict[str, tuple[bool, str]] = {}
    while not table.over:
        view = table.view(table.actor)
        _note("", view, found)
        table.play(play_on(view))
    return {path: written for path, (_telling, written) in found.items()}


def _note(path: str, value: Any, found: dict[str, tuple[bool, str]]) -> None:
    written, telling = json.dumps(value), _is_informative(value)
    if len(written) <= EXAMPLE_MOST and (path not in found or (telling and not found[path][0])):
        found[path] = (telling, written)
    if isinstance(value, dict):
        for key, inner in value.items():
            _note(f"{path}.{key}".lstrip("."), inner, found)
    elif isinstance(value, list):
        for inner in value[-1:]:
            _note(f"{path}[]", inner, found)


def _is_informative(value: Any) -> bool:
    """Return whether a value contains anything that is neither null nor empty."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return bool(value) if inside is None else any(map(_is_informative, inside))


def docs_view_key_rows(ruleset: Ruleset) -> list[KeyRow]:
    """Return every key of the game's views. Objects whose keys are data, such as faces of dice, are shown with their
    first key. A key with keys below it has no example.
    """
    examples, keys = _examples(ruleset.id), list(schema_keys(ruleset.view_schema))
    parents = {inner.rpartition(".")[0].removesuffix("[]") for inner, _meaning in keys}
    rows = list[KeyRow]()
    before = ("", "")
    for path, meaning in keys:
        place = (path.rpartition(".")[0], meaning)
        if place != before or not place[0]:
            rows.append(KeyRow(path, gettext(meaning), "" if path in parents else examples.get(path, "")))
        before = place
    return rows


def docs_rules_context(ruleset: Ruleset) -> dict[str, Any]:
    """Return the context of a game's rules page, except how to install its package."""
    newest = current(ruleset.name)
    return {
        "ruleset": ruleset,
        "superseded_by": None if ruleset is newest else newest,
        "fewest": ruleset.usual_seats[0],
        "most": ruleset.usual_seats[-1],
        "options": docs_option_rows(ruleset),
        "examples": docs_context_examples(ruleset.name),
        "view": docs_context_sample(ruleset),
        "keys": docs_view_key_rows(ruleset),
        "in_browsers": game_packages_browser_games(),
        "vocabulary": ruleset.vocabulary(ruleset.validate(ruleset.seats.start, {})),
    }


def docs_context_sample(ruleset: Ruleset) -> str:
    """Return the view of a player in a real game as JSON, one key a line. It is the view after ``SAMPLE_ACTIONS``
    actions; if the game is shorter, the view before its last action.
    """
    players = sorted((ruleset.usual_seats[0], SAMPLE_PLAYERS, ruleset.usual_seats[-1]))[1]
    table, play_on = Table(ruleset, players, {}, SAMPLE_SEED), catalogue_stand_in(ruleset.name)
    view = table.view(table.actor)
    for _number in range(SAMPLE_ACTIONS):
        table.play(play_on(view))
        if table.over:
            break
        view = table.view(table.actor)
    lines = (f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in view.items())
    return "{\n" + ",\n".join(lines) + "\n}"


@dataclass(frozen=True, slots=True)
class ExampleStep:
    """An action of an example, and the sum of the dice or cards after it, if the example states it."""

    action: Mapping[str, Any]
    total: int | None


@cache
def docs_example_vectors(name: str) -> tuple[Mapping[str, Any], ...]:
    """Return the examples of the game ``name``, or none."""
    file = GAMES[name].file("examples.json")
    return tuple(rule_vectors_of(json.loads(file.read_text(encoding="utf-8")))) if file.is_file() else ()


def docs_context_examples(name: str) -> dict[str, list[ExampleStep]]:
    """Return the steps of the examples by their ids, for a template."""
    return {vector["id"]: _steps(vector) for vector in docs_example_vectors(name)}


def _steps(vector: Mapping[str, Any]) -> list[ExampleStep]:
    totals = {one["after_action"]: one.get("total", one.get("announce")) for one in vector.get("checkpoints", ())}
    return [ExampleStep(action, totals.get(at)) for at, action in enumerate(vector["actions"])]
