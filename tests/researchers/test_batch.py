"""Compiled batches are the engine's games."""

import pytest

from games.catalogue import GAMES
from research import batch
from tests.researchers.batches import Following, compare_blocks_with_the_dealer, has_arrays

COMPILED = [name for name, one in GAMES.items() if has_arrays(one.current)]


@pytest.mark.parametrize("game", COMPILED)
def test_compiled_games_are_those_of_the_engine(game: str) -> None:
    assert batch.numba is not None
    ruleset = GAMES[game].current
    Following(ruleset, ruleset.seats[0], {}, games=40, deep=10).play_games(40)
    most = Following(ruleset, ruleset.seats[-1], _others(game), games=10)
    most.play_games(10)


@pytest.mark.parametrize("games", [1, 31, 32, 70])
def test_compiled_blocks_are_those_of_the_dealer(games: int) -> None:
    assert batch.numba is not None
    compare_blocks_with_the_dealer(games)


def _others(game: str) -> dict[str, object]:
    """Each option at its last value."""
    return {name: option.allowed[-1] for name, option in GAMES[game].current.options.items()}
