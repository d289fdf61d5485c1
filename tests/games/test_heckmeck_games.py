"""Hundreds of random games of the anniversary edition, at every number of players and every option."""

import random
from collections import Counter
from typing import Any

from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from games.catalogue import current
from games.catalogue.heckmeck.position import HeckmeckPosition, heckmeck_position_next_turn
from games.catalogue.heckmeck.rules import ALL_TILES, BRATWORMS, OPTIONS, OUT, RAVEN, TURN_CAP
from games.catalogue.heckmeck.turn import AGAIN, GoldenDice, HeckmeckPhase
from games.chance import Dice
from games.dealer import Dealer
from games.record import Record
from games.table import Table
from pecking.testing.random_games import random_game_seed
from tests.examples import examples

HECKMECK = current("heckmeck")
GAMES = examples(80, suppress_health_check=[HealthCheck.too_slow])

players = st.sampled_from(HECKMECK.seats)
options = st.fixed_dictionaries({name: st.sampled_from(option.allowed) for name, option in OPTIONS.items()})
keys = st.integers(0, 2**64)


def sensible(state: HeckmeckPosition, rng: random.Random) -> str:
    """Random, but mostly stops where that may win a tile: games with full stacks, thefts and an end."""
    legal = state.actions()
    if legal == ("roll", "stop"):
        reached = state.hand.aside.worm and (state.hand.aside.total >= 21 or state.hand.aside.total in (11, 13))
        return "stop" if reached == (rng.random() < 0.9) else "roll"
    return rng.choice(legal)


def assert_all_pieces_are_there(state: HeckmeckPosition) -> None:
    """Each tile once, seven bratworms, specialists one to a place: a tile that lies face up, or a seat, or out."""
    board = state.board
    piles = [board.grill, board.facedown, *(1 << tile for stack in board.stacks for tile in stack)]
    assert sum(piles) == ALL_TILES
    assert board.grill & board.facedown == 0
    assert board.supply + sum(board.bratworms) == BRATWORMS
    assert min(board.supply, *board.bratworms) >= 0
    if state.phase in (HeckmeckPhase.KEEP, HeckmeckPhase.RAVEN):
        return  # a specialist is between two places
    taken = [place for place in board.places if place != OUT]
    assert len(set(taken)) == len(taken)
    assert all(place < board.rules.players or board.grill >> place & 1 for place in taken)
    assert board.places[RAVEN] not in range(board.rules.players)


@GAMES
@given(players=players, options=options, key=keys)
def test_no_piece_is_lost_and_the_record_leads_to_the_same_end(players: int, options: dict[str, Any], key: int) -> None:
    table, rng = Table(HECKMECK, players, options, random_game_seed("hypothesis", key)), random.Random(key)
    while not table.over:
        assert isinstance(table.state, HeckmeckPosition)
        assert_all_pieces_are_there(table.state)
        table.play(sensible(table.state, rng))
    state, outcome = table.state, table.outcome
    assert isinstance(state, HeckmeckPosition)
    assert outcome is not None
    assert_all_pieces_are_there(state)
    assert outcome.reason == ("turn_cap" if state.turn == TURN_CAP * players and state.board.grill else "grill_empty")
    assert list(outcome.points) == state.view(None)["worms"]
    record = table.record()
    assert Record.decode(record.encode()) == record
    assert record.verify() == outcome


@examples(30)
@given(players=players, options=options, key=keys)
def test_a_turn_has_no_more_decisions_than_the_bound_on_the_length_of_a_game_counts(
    players: int, options: dict[str, Any], key: int
) -> None:
    table, rng = Table(HECKMECK, players, options, random_game_seed("ends", key)), random.Random(key)
    turn, counts = 0, Counter[str]()
    while not table.over:
        state = table.state
        assert isinstance(state, HeckmeckPosition)
        turn, counts = (turn, counts) if state.turn == turn else (state.turn, Counter())
        action = sensible(state, rng)
        counts[action.split()[0]] += 1
        assert counts["take"] <= 6
        assert counts["roll"] <= 5
        assert all(counts[once] <= 1 for once in ("stop", "steal", "decline", "keep"))
        assert counts["use"] + counts["leave"] <= 1  # nobody has two specialists
        assert counts["bratworm"] <= 2
        table.play(action)


def test_the_dealer_and_the_state_agree_on_what_can_be_rolled_with_the_golden_die() -> None:
    rng = random.Random(1)
    thrown = 0
    for game in range(30):
        state, dealer = HECKMECK.start(3, {"golden_die_use": "always"}), Dealer(random_game_seed("agree", game))
        while legal := state.actions():
            request = state.chance()
            assert isinstance(state, HeckmeckPosition)
            action = sensible(state, rng) if request is None else dealer.deal(request)
            if "+" in action:
                thrown += 1
                assert action in legal
            state = state.play(action)
    assert thrown > 50


def test_all_faces_of_the_golden_die_come_equally_often() -> None:
    state = HECKMECK.start(2, {"golden_die_faces": "12345W", "golden_die_use": "always"})
    assert isinstance(state, HeckmeckPosition)
    board = state.board._replace(places=(11, 21, 23, 25, 0, 29))
    request = heckmeck_position_next_turn(board).chance()
    assert request is not None
    shown = Counter(Dealer(random_game_seed("golden", game)).deal(request)[-1] for game in range(3000))
    assert set(shown) == set("12345W")
    assert all(400 < count < 600 for count in shown.values())  # 500 with a deviation of 20


def test_the_golden_die_is_rolled_again_in_each_roll_of_each_turn_of_each_seat() -> None:
    here: dict[str, Any] = {"seat": 0, "turn": 0, "roll": 0}
    base = GoldenDice(**here, number=8, faces=tuple("12345W"))
    for change in here:
        for other in (1, AGAIN):
            pairs = [
                (dealer.deal(base)[-1], dealer.deal(base._replace(**{**here, change: other}))[-1])
                for dealer in (Dealer(random_game_seed("anew", game)) for game in range(200))
            ]
            assert sum(one == two for one, two in pairs) < 60  # one in six is 33, with a deviation of 5


def test_the_white_dice_of_a_throw_are_the_same_with_and_without_the_golden_one() -> None:
    dealer = Dealer(random_game_seed("white"))
    assert dealer.deal(GoldenDice(1, 4, 2, 6, ("W",))) == f"{dealer.deal(Dice(1, 4, 2, 6))} +W"
