"""Random games of any ruleset, and the combinations of players and options with which a game is tested."""

import random
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from games.dealer import Dealer, block_seed
from games.game import CatalogueGame
from games.ruleset import Ruleset
from games.state import State
from games.table import Table

Case = tuple[Ruleset, int, dict[str, Any]]


def random_game_seed(*key: int | str) -> bytes:
    """Return a seed of 16 bytes for this key."""
    return block_seed(b"tests", *key)


def random_game_option_sets(ruleset: Ruleset) -> list[dict[str, Any]]:
    """Return sets of options: the defaults; for each other value of an option, this value and the defaults of all
    others; and all options at their last value.
    """
    alone = [
        {name: value} for name, option in ruleset.options.items() for value in option.allowed if value != option.default
    ]
    return [{}, *alone, {name: option.allowed[-1] for name, option in ruleset.options.items()}]


def random_game_options_needed(ruleset: Ruleset, players: int) -> dict[str, Any]:
    """Return the options that this number of players requires."""
    return dict([ruleset.seats_with[players]]) if players in ruleset.seats_with else {}


def random_game_cases(game: CatalogueGame, *, thorough: bool = True) -> list[Any]:
    """Return combinations of ruleset, number of players and options, for ``pytest``.

    The usual run has the defaults for every number of players. It has all options at their last value for the fewest
    and for the most players. Each other value of an option is alone, alternately with the fewest and with the most
    players. All other combinations are marked ``slow`` and are left out unless ``thorough``. These include all
    combinations of superseded versions, which golden records cover.
    """
    found = [
        (ruleset, players, options, ruleset is game.current and _is_usual(ruleset, players, options, place))
        for ruleset in game.versions
        for players in ruleset.seats
        for place, options in enumerate(random_game_option_sets(ruleset))
        if options != random_game_options_needed(ruleset, players) or not options
    ]
    return [
        pytest.param(
            case := (ruleset, players, options | random_game_options_needed(ruleset, players)),
            marks=[] if is_usual else pytest.mark.slow,
            id=random_game_case_name(case),
        )
        for ruleset, players, options, is_usual in found
        if is_usual or thorough
    ]


def _is_usual(ruleset: Ruleset, players: int, options: Mapping[str, Any], place: int) -> bool:
    fewest_and_most = (ruleset.seats.start, ruleset.seats.stop - 1)
    if len(options) == 1:
        return players == fewest_and_most[place % 2]
    return not options or players in fewest_and_most


def random_game_case_name(case: Any) -> str:
    """Return the name of a test of this case."""
    ruleset, players, options = case
    return f"{ruleset.name}-{players}-" + ("+".join(f"{k}={v}"[:40] for k, v in options.items()) or "defaults")


def random_game_table(ruleset: Ruleset, players: int, options: Mapping[str, Any], key: int) -> Table:
    """Return a table with a finished game of random players."""
    table, rng = Table(ruleset, players, options, random_game_seed(key)), random.Random(key)
    while not table.over:
        table.play(rng.choice(table.state.actions()))
    return table


def random_game_states(
    ruleset: Ruleset, players: int, options: Mapping[str, Any], key: int
) -> Iterator[tuple[State, str]]:
    """Yield every state of a random game but the last, with the action that was played there."""
    dealer, rng = Dealer(random_game_seed(key)), random.Random(key)
    state = ruleset.start(players, options)
    while legal := state.actions():
        request = state.chance()
        action = rng.choice(legal) if request is None else dealer.deal(request)
        yield state, action
        state = state.play(action)
