"""Hundreds of random games of Pickomino, at every number of players and every option."""

import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.catalogue import current
from games.catalogue.grill.aside import DICE, NOTHING, TAKES, Aside
from games.catalogue.pickomino.position import PickominoPosition
from games.catalogue.pickomino.rules import ALL_TILES, OPTIONS, TURN_CAP
from games.chance import FACES
from games.dealer import Dealer
from games.record import Record
from games.table import Table
from pecking.testing.random_games import random_game_seed
from tests.examples import examples

PICKOMINO = current("pickomino")

players = st.sampled_from(PICKOMINO.seats)
options = st.fixed_dictionaries({name: st.sampled_from(option.allowed) for name, option in OPTIONS.items()})
keys = st.integers(0, 2**64)


def sensible(state: PickominoPosition, rng: random.Random) -> str:
    """Random, but mostly stops where that may win a tile: games with full stacks, thefts and an end."""
    legal = state.actions()
    if legal == ("roll", "stop"):
        reached = state.aside.worm and state.aside.total >= 21
        return "stop" if reached == (rng.random() < 0.9) else "roll"
    return rng.choice(legal)


def assert_tiles_are_conserved(state: PickominoPosition) -> None:
    board = state.board
    piles = [board.grill, board.facedown, *(1 << tile for stack in board.stacks for tile in stack)]
    assert sum(piles) == ALL_TILES
    assert board.grill & board.facedown == 0


def play_and_check(players: int, options: dict[str, Any], key: int) -> None:
    table, rng = Table(PICKOMINO, players, options, random_game_seed("hypothesis", key)), random.Random(key)
    turn = 0
    while not table.over:
        state = table.state
        assert isinstance(state, PickominoPosition)
        if state.turn != turn:
            turn = state.turn
            assert_tiles_are_conserved(state)
        table.play(sensible(state, rng))
    last, record, outcome = table.state, table.record(), table.outcome
    assert isinstance(last, PickominoPosition)
    assert outcome is not None
    assert_tiles_are_conserved(last)
    assert outcome.reason == ("turn_cap" if last.board.grill else "grill_empty")
    assert last.turn <= TURN_CAP * players
    assert record.verify() == outcome
    if key % 8 == 0:
        assert Record.decode(record.encode()) == record


GAMES = {"players": players, "options": options, "key": keys}


@examples(300, suppress_health_check=[HealthCheck.too_slow])
@given(**GAMES)
def test_tiles_are_conserved_and_the_record_leads_to_the_same_end(**game: Any) -> None:
    play_and_check(**game)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@settings(max_examples=50_000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(**GAMES)
def test_tiles_are_conserved_in_many_more_games(**game: Any) -> None:
    play_and_check(**game)


@examples(200)
@given(key=keys)
def test_a_seats_first_rolls_are_the_same_against_any_opponents(key: int) -> None:
    """Until the game ends, the k-th turn of seat 0 opens with the same eight dice, whatever seat 1 does."""
    opened = []
    for nerve in (0.2, 0.9):
        table, rng = Table(PICKOMINO, 2, {}, random_game_seed("luck", key)), random.Random(nerve)
        rolls = {}
        while not table.over and table.state.turn < 12:
            state = table.state
            assert isinstance(state, PickominoPosition)
            if state.aside is NOTHING and table.actor == 0:
                rolls[state.turn] = state.rolled
            legal = state.actions()
            table.play(legal[0] if table.actor == 0 else legal[-1] if rng.random() < nerve else legal[0])
        opened.append(rolls)
    assert all(opened[0][turn] == opened[1][turn] for turn in opened[0].keys() & opened[1].keys())
    assert len(opened[0].keys() & opened[1].keys()) == 6


def test_there_are_3003_ways_to_set_dice_aside_and_1939_that_matter() -> None:
    """Walked through the engine: counts of six faces up to eight dice; then (faces used, dice left, total) alone."""
    seen: set[Aside] = {NOTHING}
    edge = [NOTHING]
    while edge:
        here = edge.pop()
        for take, face in zip(TAKES, FACES, strict=True):
            for count in range(1, here.left + 1):
                if here.choices(f"roll {face}"):
                    after = here.take(take, "roll" + f" {face}" * count)
                    if after not in seen:
                        seen.add(after)
                        edge.append(after)
    assert len(seen) == 3003
    assert len({(one.used, one.left, one.total) for one in seen}) == 1939
    assert max(one.total for one in seen) == 5 * DICE


def test_the_dealer_and_the_state_agree_on_what_can_be_rolled() -> None:
    state = PICKOMINO.start(2, {})
    for game in range(50):
        request = state.chance()
        assert request is not None
        assert Dealer(random_game_seed("agree", game)).deal(request) in state.actions()
