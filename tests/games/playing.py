"""Random games of any ruleset, and which options to try them with."""

import random
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from games.catalogue import GAMES
from games.dealer import Dealer, block_seed
from games.ruleset import Ruleset
from games.state import State
from games.table import Table

VERSIONS = [ruleset for game in GAMES.values() for ruleset in game.versions]  # superseded ones too

Case = tuple[Ruleset, int, dict[str, Any]]


def seed(*key: int | str) -> bytes:
    return block_seed(b"tests", *key)


def option_sets(ruleset: Ruleset) -> list[dict[str, Any]]:
    """The defaults, each other value alone, and all options at their last value."""
    alone = [
        {name: value} for name, option in ruleset.options.items() for value in option.allowed if value != option.default
    ]
    return [{}, *alone, {name: option.allowed[-1] for name, option in ruleset.options.items()}]


def needed(ruleset: Ruleset, players: int) -> dict[str, Any]:
    """The options without which the game is not for so many."""
    return dict([ruleset.seats_with[players]]) if players in ruleset.seats_with else {}


def cases() -> list[Any]:
    """Every ruleset with every number of players and every set of options to try, for pytest.

    The default run has the defaults for every number of players, all options at their last value for the fewest and the
    most, and each option alone for the fewest or the most in turn; the rest is slow, and so are superseded versions:
    golden records hold those.
    """
    return [
        pytest.param(
            (ruleset, players, options | needed(ruleset, players)),
            marks=[] if is_current(ruleset) and _daily(ruleset, players, options, place) else pytest.mark.slow,
        )
        for ruleset in VERSIONS
        for players in ruleset.seats
        for place, options in enumerate(option_sets(ruleset))
        if options != needed(ruleset, players) or not options
    ]


def _daily(ruleset: Ruleset, players: int, options: Mapping[str, Any], place: int) -> bool:
    fewest_and_most = (ruleset.seats.start, ruleset.seats.stop - 1)
    if len(options) == 1:
        return players == fewest_and_most[place % 2]
    return not options or players in fewest_and_most


def is_current(ruleset: Ruleset) -> bool:
    return GAMES[ruleset.name].current is ruleset


def case_name(case: Any) -> str:
    ruleset, players, options = case
    return f"{ruleset.name}-{players}-" + ("+".join(f"{k}={v}"[:40] for k, v in options.items()) or "defaults")


def random_table(ruleset: Ruleset, players: int, options: Mapping[str, Any], key: int) -> Table:
    """A finished game of players who choose at random."""
    table, rng = Table(ruleset, players, options, seed(key)), random.Random(key)
    while not table.over:
        table.play(rng.choice(table.state.actions()))
    return table


def random_states(ruleset: Ruleset, players: int, options: Mapping[str, Any], key: int) -> Iterator[tuple[State, str]]:
    """Every state of a random game but the last, with the action that was played there; chance's are dealt."""
    dealer, rng = Dealer(seed(key)), random.Random(key)
    state = ruleset.start(players, options)
    while legal := state.actions():
        request = state.chance()
        action = rng.choice(legal) if request is None else dealer.deal(request)
        yield state, action
        state = state.play(action)
