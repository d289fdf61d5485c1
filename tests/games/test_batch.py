"""Games in batches are the engine's: every mask, observation and outcome; numba is left to tests/researchers."""

import numpy as np
import pytest

from games.catalogue import GAMES
from pecking.testing.random_games import Case, random_game_case_name
from research.batch import BatchGames, NoArrayRules
from research.batch_hash import batch_hash_texts
from tests.games.versions import cases
from tests.researchers.batches import Following, compare_blocks_with_the_dealer, has_arrays

ALL = [case for case in cases() if has_arrays(case.values[0][0])]


@pytest.mark.parametrize("case", ALL, ids=random_game_case_name)
def test_games_in_a_batch_are_those_of_the_engine(case: Case) -> None:
    following = Following(*case, games=6)
    following.play(120)


@pytest.mark.parametrize("game", [name for name, one in GAMES.items() if has_arrays(one.current)])
def test_whole_games_in_a_batch_are_those_of_the_engine(game: str) -> None:
    ruleset = GAMES[game].current
    Following(ruleset, ruleset.seats[0], {}, games=10, deep=10).play_games(10)


def test_blocks_of_a_batch_are_those_of_the_dealer() -> None:
    compare_blocks_with_the_dealer(3)
    with pytest.raises(ValueError, match="buffer size"):
        batch_hash_texts([b"x" * 33])


def test_an_action_that_is_not_legal_changes_nothing() -> None:
    batch = BatchGames("pickomino", games=3)
    batch.reset(1)
    before = batch.observations.copy()
    legal = batch.masks.argmax(1)
    for wrong in ([7, *legal[1:]], [99, *legal[1:]], [-1, *legal[1:]], legal[1:]):
        with pytest.raises(ValueError, match=r"legal|number|actions"):
            batch.step(np.array(wrong))
    assert (batch.observations == before).all()
    batch.step(legal)


def test_the_same_seed_gives_the_same_games() -> None:
    batch, again = BatchGames("pickomino", games=4), BatchGames("pickomino", games=4)
    batch.reset(5)
    again.reset(5)
    assert batch.seeds == again.seeds
    assert (batch.observations == again.observations).all()


def test_a_game_without_array_rules_is_refused() -> None:
    with pytest.raises(NoArrayRules, match="karteneck/1"):
        BatchGames("karteneck/1")
