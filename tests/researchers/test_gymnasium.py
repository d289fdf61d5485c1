"""Gymnasium's own check, and a seat among bots."""

import random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from games.catalogue import GAMES
from games.record import Record
from games.table import Table
from research.gymnasium import PeckingSolo
from research.opponents import LazyView
from tests.researchers.tables import every_table


def played(env: Any, seed: int) -> tuple[list[bytes], float]:
    """What is seen in a game that the learner plays at random, and its reward."""
    rng = random.Random(seed)
    observation, info = env.reset(seed=seed)
    seen, over, reward = [observation.tobytes()], False, 0.0
    while not over:
        assert env.observation_space.contains(observation)
        legal = info["action_mask"].nonzero()[0]
        observation, reward, over, cut, info = env.step(rng.choice(list(legal)))
        assert not cut
        seen.append(observation.tobytes())
    return seen, reward


@every_table
@pytest.mark.filterwarnings("default")
def test_gymnasium_s_own_check_passes(game: str, players: int) -> None:
    check_env(PeckingSolo(game, players), skip_render_check=True)


@every_table
def test_a_game_is_the_same_again_and_its_record_holds(game: str, players: int) -> None:
    bots = [bot.slug for bot in GAMES[game].house_bots if bot.name in ("random", "cautious", "steady")]
    for opponents in (bots, ["random"]):
        env = PeckingSolo(game, players, opponents=opponents)
        random.seed(1)
        before = random.getstate()
        first = played(env, 8)
        assert random.getstate() == before
        random.seed(2)
        assert played(env, 8) == first
        assert played(env, 9) != first
        record = Record.decode(env.table.record().encode())
        assert record.verify().points[0] == env.table.outcome.points[0]


def test_the_reward_is_the_share_of_opponents_beaten() -> None:
    env = PeckingSolo("laghetti", 4, opponents=["old-marmot", "proud-ibex", "lazy-marmot"], seat=None)
    seats = set()
    for seed in range(8):
        _, reward = played(env, seed)
        seats.add(env.seat)
        places = env.table.outcome.places
        rivals = [place for seat, place in enumerate(places) if seat != env.seat]
        own = places[env.seat]
        assert reward == pytest.approx(sum((own < one) - (own > one) for one in rivals) / 3)
    assert len(seats) > 1


@pytest.mark.parametrize("game", GAMES)
def test_the_strongest_house_bot_sits_down_by_its_name_on_the_site(game: str) -> None:
    strongest = GAMES[game].house_bots[-1]
    assert " " not in strongest.slug
    env = PeckingSolo(game, opponents=[strongest.slug])
    assert played(env, 3) == played(env, 3)


def test_an_illegal_action_loses_at_once() -> None:
    env = PeckingSolo("pickomino")
    _, info = env.reset(seed=1)
    wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
    _, reward, over, _, info = env.step(wrong)
    assert (reward, over) == (-1.0, True)
    assert info["illegal"] == env.numbered.names[wrong]


def test_functions_and_house_bots_sit_at_the_others_seats_in_turn_order() -> None:
    requests: list[tuple[str, int]] = []

    def first(view: Any) -> str:
        requests.append(("first", view["you"]))
        return view["actions"][0]

    def second(view: Any) -> str:
        requests.append(("second", view["you"]))
        return view["actions"][0]

    played(PeckingSolo("laghetti", 4, opponents=[first, second], seat=1), 1)
    assert set(requests) == {("first", 2), ("second", 3), ("first", 0)}


def test_a_function_is_shown_the_view_of_its_seat_made_when_it_is_read() -> None:
    views: list[LazyView] = []

    def first(view: Any) -> str:
        views.append(view)
        return view["actions"][0]

    env = PeckingSolo("karteneck", 2, opponents=[first], seat=1)
    env.reset(seed=1)
    assert [view._made for view in views] == [None]
    right = Table(env.table.ruleset, 2, env.table.options, env.table.seed).view(0)
    assert dict(views[0]) == right == {**views[0]}
    assert views[0] == right
    assert (views[0]["you"], len(views[0]), "hand" in views[0]) == (0, len(right), "hand" in right)
    with pytest.raises(KeyError):
        views[0]["nothing"]


def test_it_is_registered_and_wrong_calls_are_refused() -> None:
    env = gymnasium.make("Pecking-v1", game="karteneck", players=3)
    played(env, 1)
    assert env.unwrapped.action_masks().dtype == bool
    with pytest.raises(LookupError, match="no house bot 'nobody'; it has scatterbrain"):
        PeckingSolo(opponents=["nobody"])
    with pytest.raises(ValueError, match="seat 2 does not exist"):
        PeckingSolo(seat=2)
    with pytest.raises(LookupError, match="unknown"):
        PeckingSolo("checkmate")
