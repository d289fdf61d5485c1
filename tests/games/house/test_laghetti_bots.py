"""The house bots of In cammino tra i laghetti: ordered from weak to strong, sound in plain positions, quick."""

import random
import time
from collections.abc import Callable
from typing import Any

import pytest

from games.catalogue.laghetti import LAGHETTI
from games.catalogue.laghetti.bots import guide, steady
from games.catalogue.laghetti.bots import random as stroller
from games.table import Table
from pecking.testing.random_games import random_game_option_sets, random_game_seed
from tests.games.house.duel import duel
from tests.games.test_laghetti import after, card, position

Act = Callable[[Any], str]
S24, S1, Q1 = card("S", 24), card("S", 1), card("Q", 1)


@pytest.mark.parametrize("act", [steady.act, guide.act])
def test_the_best_card_leads_with_its_best_value_where_a_trick_is_needed(act: Act) -> None:
    state = after(position([[3, 7], [S24, S1], [14, 15]]), "bid 1", "bid 0", "bid 2")
    assert act(state.view(1)) == f"play {S24} S"


@pytest.mark.parametrize("act", [steady.act, guide.act])
def test_a_seat_that_wants_no_trick_leads_its_lowest_value(act: Act) -> None:
    state = after(position([[3, 7], [S1, Q1], [14, 15]]), "bid 0", "bid 0", "bid 0")
    assert act(state.view(1)) in (f"play {S1} S", f"play {Q1} Q")


@pytest.mark.parametrize("act", [steady.act, guide.act])
def test_the_last_to_play_takes_the_trick_it_needs_and_leaves_the_one_it_does_not(act: Act) -> None:
    for bid, wins in ((1, True), (0, False)):
        state = after(position([[0, 21], [14, 15], [3, 7]]), "bid 2", "bid 1", f"bid {bid}", "play 14 S", "play 3")
        assert act(state.view(0)) == ("play 21" if wins else "play 0")  # 21 is good for nothing but its area of 17


def test_a_sure_trick_is_bid() -> None:
    for act in (steady.act, guide.act):
        assert act(position([[3], [S24], [14]]).view(1)) == "bid 1"


def test_the_guide_plays_the_same_for_the_same_view() -> None:
    state = position([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11], [12, 13, 14, 15, 16, 17], [18, 19, 20, 21, 22, 23]])
    assert {guide.act(state.view(1)) for _ in range(3)} == {guide.act(state.view(1))}


def test_the_guide_knows_a_card_by_its_value() -> None:
    state = after(position([[0, 1], [2, 3], [4, 5]], reveal="value"), "bid 0", "bid 0", "bid 0", "play 2 Q", "play 4")
    assert guide.played_cards(state.view(0)) == [[], [2], [4]]


@pytest.mark.parametrize("players", LAGHETTI.seats)
def test_the_guide_plays_every_variant_far_within_the_limits(players: int) -> None:
    for options in random_game_option_sets(LAGHETTI)[-2:]:
        table = Table(LAGHETTI, players, options, random_game_seed("guide", players))
        spent = 0.0
        while not table.over:
            seat, act = table.actor, guide.act if table.actor == 0 else steady.act
            begin = time.process_time()
            table.play(act(table.view(seat)))
            spent += time.process_time() - begin
        assert spent < 6  # of 30 seconds; about half a second on an idle machine


@pytest.mark.parametrize("players", LAGHETTI.seats)
@pytest.mark.parametrize(
    ("better", "worse", "blocks"),
    [(steady.act, stroller.act, 10), pytest.param(guide.act, steady.act, 12, marks=pytest.mark.slow)],
    ids=["steady over random", "guide over steady"],
)
def test_the_house_is_ordered_from_weak_to_strong(better: Act, worse: Act, blocks: int, players: int) -> None:
    random.seed(1)
    lead = duel(LAGHETTI, better, worse, blocks, players)
    print(f"{players} players: {lead}")
    assert lead.lead - lead.half > 0
