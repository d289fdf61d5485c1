"""The sage's arithmetic against published numbers and brute force, and the order of the house."""

import random
import time
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from games.catalogue import current
from games.catalogue.pickomino.bots import cautious, greedy, sage
from games.catalogue.pickomino.bots import random as scatterbrain
from games.catalogue.pickomino.position import pickomino_position_next_turn
from games.state import State
from tests.games.house.duel import duel
from tests.games.house.turns import worth_of_turn
from tests.games.pickomino_positions import play, position, roll

PICKOMINO = current("pickomino")
GRILL = tuple(range(21, 37))
OPENING = sage.payoffs(GRILL, (), 0, 1, True)


def test_the_value_of_an_opening_turn_is_the_published_one() -> None:
    values, _ = sage.solve(OPENING)
    assert abs(values[sage.NUMBER[sage.OPENING]] - 1.6447296740400994) < 1e-12


def test_the_chance_of_21_with_a_worm_is_the_published_one() -> None:
    values, _ = sage.solve(tuple([0.0] * 21 + [1.0] * 20 + [0.0]))
    assert abs(values[sage.NUMBER[sage.OPENING]] - 0.8930267371507) < 1e-12


def test_a_turn_has_1939_states() -> None:
    assert len(sage.STATES) == len(set(sage.STATES)) == 1939


def brute_force(pays: tuple[float, ...], used: int, left: int, total: int) -> Fraction:
    """The exact value: every order of dice, every choice, fractions all the way."""

    @cache
    def value(used: int, left: int, total: int) -> Fraction:
        stop = Fraction(pays[total if used & 32 else -1])
        if not left or used == 63:
            return stop
        rolled: Fraction = sum((best(dice, used, left, total) for dice in product(range(6), repeat=left)), Fraction())
        return max(stop, rolled * Fraction(1, 6**left))

    def best(dice: tuple[int, ...], used: int, left: int, total: int) -> Fraction:
        counts = {face: dice.count(face) for face in dice if not used >> face & 1}
        worth = [value(used | 1 << f, left - k, total + k * (1, 2, 3, 4, 5, 5)[f]) for f, k in counts.items()]
        return max(worth, default=Fraction(pays[-1]))

    return value(used, left, total)


@pytest.mark.parametrize(
    "pays", [OPENING, sage.payoffs((21, 24, 30), (25, 28), 33, 1, True), sage.payoffs((36,), (22,), 21, 3, False)]
)
def test_states_with_up_to_three_dice_left_match_brute_force_in_fractions(pays: tuple[float, ...]) -> None:
    values, _ = sage.solve(tuple(float(pay) for pay in pays))
    few = [state for state in sage.STATES if state[1] <= 3]
    for state in random.Random(1).sample(few, 120):
        assert values[sage.NUMBER[state]] == pytest.approx(float(brute_force(pays, *state)), abs=1e-12)


def gain(states: list[State]) -> float:
    """The worms that seat 0 won in a turn, and what its rivals lost on average."""
    own, *others = map(int.__sub__, *(state.view(None)["worms"] for state in (states[-1], states[0])))
    return own - sum(others) / len(others)


@pytest.mark.parametrize("turns", [1000, pytest.param(20_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "stacks", [((), ()), ((22, 33), (25,)), ((), (24,), (27, 21, 26), (36,))], ids=["opening", "duel", "four"]
)
def test_the_exact_value_of_a_turn_is_what_the_sage_wins_in_the_engine(
    stacks: tuple[tuple[int, ...], ...], turns: int
) -> None:
    start = pickomino_position_next_turn(position(*stacks, aside_="").board)
    values, _ = sage.solve(sage.payoffs(*sage.stakes(start.view(None) | {"you": 0})))
    estimate = worth_of_turn(start, sage.act, gain, turns)
    print(f"exact {values[sage.NUMBER[sage.OPENING]]:.4f}, sampled {estimate}")
    assert estimate.holds(values[sage.NUMBER[sage.OPENING]])


def test_what_stopping_pays() -> None:
    pays = sage.payoffs((21, 30), (24, 33), 36, 2, True)
    assert (pays[21], pays[30], pays[23]) == (1, 3, 1)
    assert pays[24] == 1.5  # stolen: one worm, and half a worm less for each of two rivals
    assert pays[33] == 6
    assert (pays[20], pays[-1]) == (-4, -4)
    assert pays[40] == 3


def test_the_sage_steals_where_that_pays_more_than_the_grill() -> None:
    state = play(position((), (25,), (), (), aside_="WWWW5", grill=[24]), "stop")
    assert sage.act(state.view(0)) == "steal"
    assert sage.stealing(29, (28,), (29,), 0, 3, True) == (4, 2)


def test_the_sage_takes_the_highest_of_the_lower_tiles() -> None:
    state = play(position((), (), aside_="WWWW4", grill=[21, 22, 30], lower_tile="any_lower"), "stop")
    assert sage.act(state.view(0)) == "tile 22"


def test_the_sage_stops_on_the_best_tile_and_rolls_on_without_a_worm() -> None:
    assert sage.act(position((), (), aside_="WWWWW55").view(0)) == "stop"
    assert sage.act(position((), (), aside_="5555").view(0)) == "roll"
    assert sage.act(play(position((), (), aside_="5555"), "roll", roll("111W")).view(0)) == "take W"


def test_a_turn_of_the_sage_is_well_within_the_limits() -> None:
    begin = time.process_time()
    for own in range(21, 31):
        sage.solve(sage.payoffs(GRILL[own - 20 :], (own,), own, 1, False))
    assert (time.process_time() - begin) / 10 < 0.25


@pytest.mark.simulation
@pytest.mark.parametrize(
    ("better", "worse", "blocks"), [(sage, greedy, 60), (greedy, cautious, 300), (cautious, scatterbrain, 40)]
)
def test_the_house_is_ordered_from_weak_to_strong(better: object, worse: object, blocks: int) -> None:
    random.seed(1)
    lead = duel(PICKOMINO, better.act, worse.act, blocks)  # type: ignore[attr-defined]
    print(f"{better.__name__} over {worse.__name__}: {lead}")  # type: ignore[attr-defined]
    assert lead.lead - lead.half > 0
