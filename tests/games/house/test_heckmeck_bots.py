"""The fox's arithmetic against brute force, and the order of the house of the anniversary edition."""

import random
import time
from fractions import Fraction
from functools import cache
from itertools import product
from types import ModuleType
from typing import Any

import pytest

from games.catalogue import current
from games.catalogue.heckmeck.bots import cautious, sage
from games.catalogue.heckmeck.bots import random as chick
from games.catalogue.pickomino.bots import sage as owl
from games.state import State
from tests.games.heckmeck_positions import play, position, roll
from tests.games.house.duel import duel
from tests.games.house.turns import worth_of_turn

HECKMECK = current("heckmeck")
VALUES = (1, 2, 3, 4, 5, 5)
START = sage.stakes(HECKMECK.start(2, {}).view(None) | {"you": 0})


def brute_force(pays: tuple[float, ...], double: float, golden: tuple[str, ...]) -> Any:
    """The exact value of a state and of rolling on in it: every order of dice, every choice, fractions all the way."""

    @cache
    def value(used: int, left: int, total: int, has_golden: bool, weasel: bool) -> Fraction:
        stop = Fraction(pays[sage.paid(used, total)])
        if not left or used == 63:
            return stop
        rolled: Fraction = rolling(used, left, total, has_golden, weasel)
        return max(stop, rolled)

    @cache
    def rolling(used: int, left: int, total: int, has_golden: bool, weasel: bool) -> Fraction:
        state = (used, left, total, has_golden)
        again = rolling(*state, False) if weasel else None
        last = [sage.FACES.index(face) for face in golden] if has_golden else range(6)
        throws = product(*([range(6)] * (left - 1)), last)
        worth: Fraction = sum((best(dice, *state, weasel, again) for dice in throws), Fraction())
        return worth / Fraction(6**left)

    def best(
        dice: tuple[int, ...], used: int, left: int, total: int, has_golden: bool, weasel: bool, again: Fraction | None
    ) -> Fraction:
        worth = [] if again is None else [again]
        for face in set(dice):
            if not used >> face & 1:
                count = dice.count(face)
                still = has_golden and dice[-1] != face
                after = value(used | 1 << face, left - count, total + count * VALUES[face], still, weasel)
                worth.append(after + (Fraction(double) if face == 0 and count > 1 else 0))
        return max(worth, default=Fraction(pays[-1]))

    return value


@pytest.mark.parametrize("golden", [None, ("1", "1", "1", "W", "W", "W"), ("1", "2", "3", "4", "5", "W")], ids=str)
@pytest.mark.parametrize("weasel", [False, True], ids=["", "weasel"])
def test_states_with_up_to_three_dice_left_match_brute_force_in_fractions(golden: Any, weasel: bool) -> None:
    pays, double = sage.payoffs(START)
    turn = sage.turns(golden)
    values, _ = sage.solve(turn, pays, double, weasel)
    exact = brute_force(pays, double, golden or ())
    few = [state for state in turn.numbers if state[1] <= 3]
    with_golden = [state for state in few if state[3]]
    for state in random.Random(1).sample(few, 60) + random.Random(2).sample(with_golden, 40 if with_golden else 0):
        assert values[turn.numbers[state]] == pytest.approx(float(exact(*state, weasel)), abs=1e-12)


@pytest.mark.parametrize("turns", [500, pytest.param(20_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("own", ["golden_die", "weasel", "canned_worm", "hen"])
def test_the_exact_value_of_a_turn_is_what_the_fox_wins_in_the_engine(own: str, turns: int) -> None:
    """A turn is paid by how its dice ended, and by two ones in it; the prices of specialists are the fox's own."""
    start = position((23,), (13, 26), aside_="", places={own: 0}, supply=4)
    table = sage.stakes(start.view(None) | {"you": 0})
    pays, double = sage.payoffs(table)
    turn = sage.turns(("1", "1", "1", "W", "W", "W") if own == "golden_die" else None)
    exact = sage.solve(turn, pays, double, own == "weasel")[1][turn.numbers[turn.first]]

    def paid(states: list[State]) -> float:
        last = states[-1].view(None)["last"]
        used = sum(1 << face for face, name in enumerate(sage.FACES) if last["aside"][name])
        total = sum(count * value for count, value in zip(last["aside"].values(), VALUES, strict=True))
        failed = last["why"] == "no_face"
        return (pays[-1] if failed else pays[sage.paid(used, total)]) + double * int(last["aside"]["1"] > 1)

    estimate = worth_of_turn(start, sage.act, paid, turns)
    print(f"{own}: exact {exact:.4f}, sampled {estimate}")
    assert estimate.holds(float(exact))


def test_without_specialists_it_is_the_turn_of_pickomino() -> None:
    """1.6447...: the published value of an opening turn, and the same from the owl, who has his own code."""
    grill = tuple((tile, "") for tile in range(21, 37))
    pays, _ = sage.payoffs(sage.Stakes(grill, (), 0, "", 1.0, 1, "optional"))
    values, _ = sage.solve(sage.turns(None), pays, 0.0, False)
    theirs, _ = owl.solve(owl.payoffs(tuple(range(21, 37)), (), 0, 1, True))
    assert values[0] == pytest.approx(theirs[owl.NUMBER[owl.OPENING]], abs=1e-12)
    assert values[0] == pytest.approx(1.6447296740400994, abs=1e-12)


def test_the_golden_die_and_the_weasel_make_a_turn_worth_more() -> None:
    pays, double = sage.payoffs(START)
    plain = sage.opening(START, None)
    assert sage.opening(START, ("1", "1", "1", "W", "W", "W")) > plain
    assert sage.solve(sage.turns(None), pays, double, True)[1][0] > plain


def test_what_a_total_pays() -> None:
    prices = sage.PRICES
    grill = ((11, "canned_worm"), (21, ""), (23, "raven"), (29, "apple"))
    table = sage.Stakes(grill, ((25, "hen"), (30, "")), 33, "", 1.0, 2, "optional")
    pays, _ = sage.payoffs(table)
    assert (pays[11], pays[12], pays[20]) == (1 + prices["canned_worm"], -4, -4)
    assert (pays[21], pays[23], pays[24], pays[29]) == (1, 2, 2, 3 + prices["apple"])
    assert pays[25] == max(1.5 * prices["hen"], 2)
    assert pays[30] == pytest.approx(max(4.5, 3 + prices["apple"]))
    by_steal = {steal: sage.payoffs(table._replace(steal=steal))[0][25] for steal in ("optional_or_fail", "mandatory")}
    assert by_steal == dict.fromkeys(by_steal, 1.5 * prices["hen"])  # nothing lower to fall back on
    assert pays[sage.MOST + 1 + 30] == -4  # without a worm
    assert sage.payoffs(table._replace(specialist="canned_worm"))[0][sage.MOST + 1 + 16] == pytest.approx(1)
    assert sage.failing(table._replace(specialist="hen")) == -prices["hen"]


def test_nobody_of_the_house_throws_a_turn_away_by_declining_a_steal() -> None:
    """The hen on 33 for the 32 with the golden die: where declining leaves it, the fox takes it."""
    options = {"optional_or_fail": {"steal"}, "optional": {"decline"}}
    for steal, played in options.items():
        decision = play(
            position((), (33,), aside_="WWWWW44", grill=[23, 32, 36], places={"hen": 1, "golden_die": 32}, steal=steal),
            "stop",
        )
        assert decision.actions() == ("steal", "decline")
        assert {sage.act(decision.view(0)) for _ in range(5)} == played
    decision = play(position((), (25,), aside_="WWWW5", places={"hen": 1}), "stop")
    for bot in (chick, cautious, sage):
        assert {bot.act(decision.view(0)) for _ in range(20)} == {"steal"}


def test_the_fox_uses_the_weasel_on_a_bad_roll_and_not_on_a_good_one() -> None:
    start = position((), (), aside_="", places={"weasel": 0})
    assert sage.act(play(start, roll("22223333")).view(0)) == "use weasel"
    assert sage.act(play(start, roll("WWWWW444")).view(0)) == "take W"
    bust = play(position((), (), aside_="WW5", places={"weasel": 0}), "roll", roll("WW555"))
    assert sage.act(bust.view(0)) == "use weasel"


def test_the_fox_stops_at_11_and_13_by_the_exact_total_only() -> None:
    assert sage.act(position((), (), aside_="W51", grill=[11, 13]).view(0)) == "stop"
    assert sage.act(position((), (), aside_="W5", grill=[11, 13]).view(0)) == "roll"


def test_the_fox_counts_on_the_canned_worm() -> None:
    assert sage.act(position((), (), aside_="555554", places={"canned_worm": 0}).view(0)) == "stop"
    assert sage.act(position((), (), aside_="555554").view(0)) == "roll"


def test_the_fox_keeps_the_dearer_specialist_and_robs_the_leader() -> None:
    decision = play(position((24,), (), aside_="WWWWW4", places={"canned_worm": 0}), "stop")
    assert sage.act(decision.view(0)) == "keep canned_worm"
    robs = play(position((), (), (36,), aside_="WWWW3", bratworms=(0, 4, 3)), "stop")
    assert sage.act(robs.view(0)) == "bratworm 2"


def test_a_decision_of_the_fox_is_well_within_the_limits() -> None:
    begin = time.process_time()
    for own in range(21, 31):
        table = START._replace(own=own)
        sage.opening(table, ("1", "1", "1", "W", "W", "W"))
        sage.solve(sage.turns(None), *sage.payoffs(table), True)
    assert (time.process_time() - begin) / 10 < 0.5


@pytest.mark.parametrize(("better", "worse", "blocks"), [(sage, cautious, 8), (cautious, chick, 25)])
def test_the_house_is_ordered_from_weak_to_strong(better: ModuleType, worse: ModuleType, blocks: int) -> None:
    random.seed(1)
    lead = duel(HECKMECK, better.act, worse.act, blocks)
    print(f"{better.__name__} over {worse.__name__}: {lead}")
    assert lead.lead - lead.half > 0


@pytest.mark.slow
def test_the_fox_beats_the_hen_by_far() -> None:
    lead = duel(HECKMECK, sage.act, cautious.act, 300)
    print(f"{sage.__name__} over {cautious.__name__}: {lead}")
    assert lead.lead - lead.half > 5
