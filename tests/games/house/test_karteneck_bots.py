"""The house bots of Karteneck: ordered from weak to strong, and far within the limits."""

import random
import time

import pytest

from games.catalogue import current
from games.catalogue.karteneck.bots import random as chickadee
from games.catalogue.karteneck.bots import seer, steady
from games.table import Table
from pecking.testing.random_games import random_game_seed
from tests.games.house.duel import duel
from tests.games.karteneck_positions import position

KARTENECK = current("karteneck")


def test_the_steady_one_beats_the_random_one() -> None:
    random.seed(1)
    lead = duel(KARTENECK, steady.act, chickadee.act, 60)
    print(f"steady over random: {lead}")
    assert lead.lead - lead.half > 0


@pytest.mark.slow
def test_the_seer_beats_the_steady_one() -> None:
    random.seed(1)
    lead = duel(KARTENECK, seer.act, steady.act, 30)
    print(f"seer over steady: {lead}")
    assert lead.lead - lead.half > 0


def test_the_steady_one_saves_its_cards_where_nothing_is_at_stake() -> None:
    assert steady.act(position("5 5 W2|", "|", grill=(20, 24)).view(0)) == "pass"
    assert steady.act(position("5 5 W2|", "|", grill=(0, 42)).view(0)) == "play 2x5"


def test_the_seer_takes_the_portion_it_can_win_for_sure() -> None:
    """The rival has passed with 10. One worm more wins six worms; passing wins none."""
    random.seed(1)
    assert seer.act(position("W2|4 3", "|5 W3", grill=(0, 42), passed="-v").view(0)) == "play W2"
    assert seer.act(position("4|5 4 W2", "|5 W3", grill=(0, 42), passed="-v").view(0)) == "pass"


def test_the_seer_steals_what_is_worth_it() -> None:
    random.seed(1)
    state = position("1|5 5 5 5 5 5 5 5 W2 W3", "|", stacks=((), (42,)), grill=(0, 16))
    assert "steal" not in state.actions()
    state = position("3|5 5 5 5 5 5 5 2 W2", "|", stacks=((), (42,)), grill=(0, 16))
    assert seer.act(state.view(0)) == "steal"


def test_a_game_of_the_seer_is_far_within_the_limits() -> None:
    random.seed(1)
    table = Table(KARTENECK, 3, {}, random_game_seed("budget"))
    longest = spent = 0.0
    while not table.over:
        view, begin = table.view(table.actor), time.process_time()
        action = (seer.act if table.actor == 0 else steady.act)(view)
        used = time.process_time() - begin
        if table.actor == 0:
            longest, spent = max(longest, used), spent + used
        table.play(action)
    assert longest < 2
    assert spent < 10
