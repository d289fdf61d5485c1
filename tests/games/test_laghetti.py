"""In cammino tra i laghetti, sentence by sentence of sheet 003 and ruling by ruling."""

import random
from collections.abc import Sequence
from typing import Any

import pytest

from games.catalogue.laghetti import LAGHETTI
from games.catalogue.laghetti.deck import CARDS, FEATURES, LAKES
from games.catalogue.laghetti.fields import LaghettiPhase, SheetRound, laghetti_fields_points, laghetti_fields_standing
from games.catalogue.laghetti.position import LaghettiPosition, laghetti_position_opening
from games.catalogue.laghetti.rules import OPTIONS, LaghettiRules
from games.chance import Draw, Pick
from games.ruleset import OptionError
from pecking.testing.random_games import random_game_states, random_game_table

DECK = [list(card) for card in LAKES]


def position(
    hands: Sequence[Sequence[int]], *, dealer: int = 0, number: int | None = None, **options: Any
) -> LaghettiPosition:
    """Before the first bid of the first round with as many cards, or of round ``number``."""
    rules = LaghettiRules(len(hands), **options)
    return laghetti_position_opening(rules)._replace(
        phase=LaghettiPhase.BID,
        number=rules.schedule.index(len(hands[0])) if number is None else number,
        dealer=dealer,
        hands=tuple(tuple(sorted(hand)) for hand in hands),
    )


def after(state: LaghettiPosition, *actions: str) -> LaghettiPosition:
    for action in actions:
        state = state.play(state.read(action))
    return state


def card(feature: str, value: int) -> int:
    """The card of the default deck with that value."""
    return next(card for card, values in enumerate(LAKES) if values[FEATURES.index(feature)] == value)


# The deck


def test_in_each_feature_every_value_from_1_to_24_occurs_once() -> None:
    assert len(LAKES) == CARDS == 24
    for values in zip(*LAKES, strict=True):
        assert sorted(values) == list(range(1, 25))


def test_a_tournament_may_carry_its_own_deck_however_it_is_written() -> None:
    own = DECK[::-1]
    objects = [dict(zip(FEATURES, values, strict=True)) for values in own]
    lines = "\n".join(" ".join(map(str, values)) for values in own)
    commas = "\r\n\r\n".join(" , ".join(map(str, values)) for values in own) + "\r\n"
    for written in (own, objects, lines, commas, tuple(map(tuple, own))):
        options = LAGHETTI.validate(4, {"deck": written})
        assert options["deck"] == own
        assert isinstance(start := LAGHETTI.start(4, {"deck": written}), LaghettiPosition)
        assert start.rules.deck == tuple(map(tuple, own))
        assert start.view(0)["options"]["deck"] == own


def spoiled(number: int, values: object) -> list[Any]:
    return [values if at == number else card for at, card in enumerate(DECK)]


@pytest.mark.parametrize(
    ("deck", "why"),
    [
        (DECK[:23], "not 24 cards but 23"),
        ([*DECK, DECK[0]], "not 24 cards but 25"),
        ("", "not 24 cards but 0"),
        ("6 2 7 3", "not 24 cards but 1"),
        (spoiled(3, [21, 16, 19]), "card 3: not four values"),
        (spoiled(3, [21, 16, 19, 1, 1]), "card 3: not four values"),
        (spoiled(3, {"Q": 21, "S": 16, "C": 19}), "card 3: not four values"),
        (spoiled(3, {"Q": 21, "S": 16, "C": 19, "X": 1}), "card 3: not four values"),
        (spoiled(3, "abcd"), "card 3: not four values"),
        (spoiled(5, [16, 12, 4, 25]), "card 5: T is 25, not 1 to 24"),
        (spoiled(5, [0, 12, 4, 24]), "card 5: Q is 0, not 1 to 24"),
        (spoiled(5, [16, True, 4, 24]), "card 5: S is True, not 1 to 24"),
        (spoiled(5, [16, 12.0, 4, 24]), "card 5: S is 12.0, not 1 to 24"),
        (spoiled(5, [16, 12, "4", 24]), "card 5: C is '4', not 1 to 24"),
        (spoiled(5, [17, 12, 4, 24]), "feature Q: no card has the value 16"),
        (spoiled(5, [16, 13, 4, 24]), "feature S: no card has the value 12"),
        (spoiled(5, [16, 12, 3, 24]), "feature C: no card has the value 4"),
        (spoiled(5, [16, 12, 4, 23]), "feature T: no card has the value 24"),
        ("\n".join(["6 2 7 ³"] * 24), "card 0: T is '³', not 1 to 24"),
        ("\n".join(["6 2 7 99999999999999999999"] * 24), "not 1 to 24"),
        (7, "not 24 cards"),
        (None, "not 24 cards"),
        ({"cards": DECK}, "not 24 cards"),
    ],
)
def test_a_deck_that_is_not_four_permutations_is_refused_by_name(deck: object, why: str) -> None:
    with pytest.raises(OptionError) as refused:
        LAGHETTI.validate(4, {"deck": deck})
    assert refused.value.field == "deck"
    assert why in str(refused.value)
    assert "allowed: 24 cards, one a line" in str(refused.value)


# The schedule and the deal


@pytest.mark.parametrize(
    ("players", "options", "cards"),
    [
        (4, {}, [1, 2, 3, 4, 5, 6, 6, 6, 6, 5, 4, 3, 2, 1]),
        (4, {"full_rounds_3p": 3}, [1, 2, 3, 4, 5, 6, 6, 6, 6, 5, 4, 3, 2, 1]),
        (3, {}, [1, 2, 3, 4, 5, 6, 7, 8, 8, 8, 8, 8, 7, 6, 5, 4, 3, 2, 1]),
        (3, {"full_rounds_3p": 3}, [1, 2, 3, 4, 5, 6, 7, 8, 8, 8, 7, 6, 5, 4, 3, 2, 1]),
    ],
)
def test_cards_rise_to_all_and_fall_to_one(players: int, options: dict[str, Any], cards: list[int]) -> None:
    assert list(LaghettiRules(players, **options).schedule) == cards
    table = random_game_table(LAGHETTI, players, options, 1)
    assert isinstance(table.state, LaghettiPosition)
    assert [sum(one.won) for one in table.state.sheet] == cards
    assert len(table.record().actions) == LAGHETTI.max_actions(players, table.options)


def test_cards_are_dealt_one_by_one_from_the_dealers_left_and_only_what_is_held() -> None:
    states = [state for state, _ in random_game_states(LAGHETTI, 3, {}, 1)]
    deals = [state for state in states if isinstance(state, LaghettiPosition) and state.phase is LaghettiPhase.DEAL]
    for state in deals:
        sizes = [len(state.hands[(state.dealer + 1 + place) % 3]) for place in range(3)]
        assert sizes == sorted(sizes, reverse=True)
        assert sizes[0] - sizes[-1] <= 1
    assert len(deals) == 3 * (28 + 40 + 28)


def test_every_round_is_dealt_from_all_24_cards() -> None:
    state = laghetti_position_opening(LaghettiRules(4))
    for draw in ("draw 0", "draw 5", "draw 23", "draw 7"):
        assert len(state.actions()) == 24 - sum(map(len, state.hands))
        state = after(state, draw)
    state = after(state, "bid 0", "bid 0", "bid 0", "bid 0", "play 0 Q", "play 5", "play 23", "play 7")
    assert state.phase is LaghettiPhase.DEAL
    assert len(state.actions()) == 24


def test_no_card_is_lost_or_doubled() -> None:
    for players in (3, 4):
        for state, _ in random_game_states(LAGHETTI, players, {}, 2):
            assert isinstance(state, LaghettiPosition)
            played = [card for trick in state.tricks for card in trick.cards] + list(state.cards)
            held = [card for hand in state.hands for card in hand]
            assert len(set(played + held)) == len(played + held)
            if state.phase is not LaghettiPhase.DEAL:
                assert len(played + held) == players * state.cards_each


def test_a_seats_cards_are_its_own_luck() -> None:
    state = laghetti_position_opening(LaghettiRules(4))
    assert state.chance() == Draw("hand/1/0", 24, (1 << 24) - 1)
    state = after(state, "draw 3")
    assert state.chance() == Draw("hand/2/0", 24, (1 << 24) - 1 - (1 << 3))
    second = position([[0], [1], [2], [3]], number=0)
    state = after(second, "bid 0", "bid 0", "bid 0", "bid 0", "play 1 Q", "play 2", "play 3", "play 0")
    assert state.chance() == Draw("hand/2/1", 24, (1 << 24) - 1)


def test_the_first_dealer_is_seat_0_or_drawn_by_lot() -> None:
    assert laghetti_position_opening(LaghettiRules(3)).dealer == 0
    state = laghetti_position_opening(LaghettiRules(3, first_dealer="random"))
    assert state.chance() == Pick("dealer", 3)
    assert state.turn == 0
    assert state.view(1)["dealer"] is None
    assert after(state, "dealer 2").chance() == Draw("hand/0/0", 24, (1 << 24) - 1)


def test_the_deal_passes_to_the_starter_of_the_round() -> None:
    for players in (3, 4):
        state = random_game_table(LAGHETTI, players, {}, 3).state
        assert isinstance(state, LaghettiPosition)
        assert [one.dealer for one in state.sheet] == [number % players for number in range(len(state.sheet))]


# Bids


def test_bids_go_clockwise_from_the_dealers_left_and_the_dealer_bids_last() -> None:
    state = position([[0, 1], [2, 3], [4, 5], [6, 7]], dealer=2)
    seats = []
    for _ in range(4):
        seats.append(state.actor)
        state = after(state, "bid 1")
    assert seats == [3, 0, 1, 2]
    assert state.phase is LaghettiPhase.LEAD


def test_everyone_else_may_bid_anything_from_0_to_all_cards() -> None:
    state = position([[0, 1], [2, 3], [4, 5]])
    assert state.actions() == ("bid 0", "bid 1", "bid 2")
    assert after(state, "bid 2").actions() == ("bid 0", "bid 1", "bid 2")


@pytest.mark.parametrize(
    ("bids", "forbidden"), [((0, 0), 2), ((1, 0), 1), ((1, 1), 0), ((2, 0), 0), ((2, 1), None), ((2, 2), None)]
)
def test_the_bids_may_not_add_up_to_the_cards(bids: tuple[int, int], forbidden: int | None) -> None:
    state = after(position([[0, 1], [2, 3], [4, 5]]), *(f"bid {bid}" for bid in bids))
    assert state.actor == 0
    assert state.forbidden == state.view(0)["forbidden"] == forbidden
    assert state.actions() == tuple(f"bid {bid}" for bid in range(3) if bid != forbidden)


# Tricks


def bidden(hands: Sequence[Sequence[int]], *, dealer: int = 0, **options: Any) -> LaghettiPosition:
    state = position(hands, dealer=dealer, **options)
    return after(state, *["bid 0"] * len(hands))


def test_the_leader_plays_any_card_and_names_any_feature() -> None:
    state = bidden([[0, 1], [2, 3], [4, 5]])
    assert state.actor == 1
    assert state.actions() == tuple(f"play {card} {feature}" for card in (2, 3) for feature in "QSCT")


def test_the_others_play_any_card_in_turn() -> None:
    state = after(bidden([[0, 1], [2, 3], [4, 5]]), "play 2 Q")
    assert (state.actor, state.actions()) == (2, ("play 4", "play 5"))
    state = after(state, "play 4")
    assert (state.actor, state.actions()) == (0, ("play 0", "play 1"))


@pytest.mark.parametrize("feature", FEATURES)
def test_the_highest_value_of_the_named_feature_wins_and_leads_next(feature: str) -> None:
    column = FEATURES.index(feature)
    state = after(bidden([[0, 1], [2, 3], [4, 5]]), f"play 2 {feature}", "play 4", "play 0")
    winner = max(((LAKES[2][column], 1), (LAKES[4][column], 2), (LAKES[0][column], 0)))[1]
    assert state.last is not None
    assert state.last.winner == state.leader == state.actor == winner
    assert state.won() == tuple(int(seat == winner) for seat in range(3))


def test_of_equal_values_the_earlier_card_wins() -> None:
    flat = tuple((5, 5, 5, 5) for _ in range(24))  # no organiser can have it: the option allows permutations only
    state = bidden([[0], [1], [2]], deck=flat, dealer=1)
    state = after(state, "play 2 C", "play 0", "play 1")
    assert state.last is not None
    assert state.last.winner == 2


def test_a_feature_may_be_named_again_unless_the_option_says_no() -> None:
    hands = [[0, 1, 6], [2, 3, 7], [4, 5, 8]]
    trick = ("play 2 Q", "play 4", "play 0")
    assert "play 3 Q" in after(bidden(hands), *trick).actions()
    state = after(bidden(hands, feature_repeat="not_previous"), *trick)
    assert state.actions() == tuple(f"play {card} {feature}" for card in (3, 7) for feature in "SCT")
    state = after(state, "play 3 S", "play 5", "play 1")
    assert {action[-1] for action in state.actions()} == set("QCT")


def test_a_new_round_starts_with_any_feature() -> None:
    state = after(bidden([[0], [2], [4]], feature_repeat="not_previous"), "play 2 Q", "play 4", "play 0")
    draws = (f"draw {card}" for card in range(6))
    state = after(state, *draws, "bid 0", "bid 0", "bid 0")
    assert {action[-1] for action in state.actions()} == set(FEATURES)


# Points


@pytest.mark.parametrize(
    ("bid", "won", "expected"),
    [(0, 0, 1), (1, 1, 2), (6, 6, 7), (0, 1, -1), (0, 8, -8), (1, 0, -1), (3, 1, -2), (1, 3, -2)],
)
def test_a_bid_that_is_met_gives_itself_and_one_more_and_any_other_costs_the_difference(
    bid: int, won: int, expected: int
) -> None:
    assert laghetti_fields_points(bid, won) == expected


def test_the_points_of_a_round_go_to_the_seats_that_bid() -> None:
    state = position([[19], [2], [4], [5]])  # sheet 003, the first example
    state = after(state, "bid 1", "bid 0", "bid 0", "bid 1", "play 2 Q", "play 4", "play 5", "play 19")
    assert state.sheet == (SheetRound(dealer=0, bids=(1, 1, 0, 0), won=(0, 1, 0, 0)),)
    assert state.scores == state.sheet[0].points == (-1, 2, 1, 1)
    assert (state.dealer, state.phase, state.number) == (1, LaghettiPhase.DEAL, 1)


def test_the_highest_total_wins_and_equal_totals_share() -> None:
    assert laghetti_fields_standing((3, 7, -2, 7)).places == (3, 1, 4, 1)
    assert laghetti_fields_standing((3, 7, -2, 7)).points == (3, 7, -2, 7)
    assert laghetti_fields_standing((0, 0, 0)).places == (1, 1, 1)


def test_the_game_ends_after_the_last_round_with_the_sum_of_all_points() -> None:
    for players in (3, 4):
        state = random_game_table(LAGHETTI, players, {}, 5).state
        assert isinstance(state, LaghettiPosition)
        outcome = state.outcome()
        assert outcome is not None
        assert outcome.points == tuple(map(sum, zip(*(one.points for one in state.sheet), strict=True)))
        assert (outcome.reason, outcome.tie_break, state.event()) == ("rounds_played", "", "end")


# What is seen


def test_a_hand_is_seen_by_its_owner_and_the_spectator_only() -> None:
    state = position([[0, 1], [2, 3], [4, 5]])
    assert state.view(1)["hands"] == [None, [2, 3], None]
    assert state.view(None)["hands"] == [[0, 1], [2, 3], [4, 5]]
    assert state.view(1)["hand_sizes"] == [2, 2, 2]


def test_a_card_being_dealt_is_seen_by_its_receiver_only() -> None:
    state = laghetti_position_opening(LaghettiRules(3))
    assert [state.seen("draw 4", seat) for seat in range(3)] == [None, "draw 4", None]
    assert [after(state, "draw 4").seen("draw 9", seat) for seat in range(3)] == [None, None, "draw 9"]


def test_cards_are_played_face_up() -> None:
    state = bidden([[0, 1], [2, 3], [4, 5]])
    assert [state.seen("play 2 Q", seat) for seat in range(3)] == ["play 2 Q"] * 3
    trick = after(state, "play 2 Q").view(0)["trick"]
    assert trick == {"leader": 1, "feature": "Q", "cards": [2], "values": [23], "winner": None}


def test_or_only_their_value_is_shown() -> None:
    state = bidden([[0, 1], [2, 3], [4, 5]], reveal="value")
    assert [state.seen("play 2 Q", seat) for seat in range(3)] == ["Q 23", "play 2 Q", "Q 23"]
    state = after(state, "play 2 Q")
    assert [state.seen("play 4", seat) for seat in range(3)] == ["Q 10", "Q 10", "play 4"]
    state = after(state, "play 4")
    assert [state.view(seat)["trick"]["cards"] for seat in (0, 1, 2, None)] == [
        [None] * 2,
        [2, None],
        [None, 4],
        [2, 4],
    ]
    assert state.view(0)["trick"]["values"] == [23, 10]
    state = after(state, "play 0")
    for seat, cards in enumerate(([None, None, 0], [2, None, None], [None, 4, None])):  # who wins learns no more
        view = state.view(seat)
        assert view["last_trick"]["cards"] == view["tricks"][0]["cards"] == cards


def test_turns_are_the_bidding_of_each_round_and_each_trick() -> None:
    turns = [state.turn for state, _ in random_game_states(LAGHETTI, 4, {}, 1)]
    assert sorted(set(turns)) == list(range(1, 14 + 54 + 1))
    assert turns == sorted(turns)


def test_a_round_is_reported_once_when_it_is_over() -> None:
    for players, rounds in ((3, 19), (4, 14)):
        events = [state.event() for state, _ in random_game_states(LAGHETTI, players, {}, 1)]
        assert events.count("round") == rounds - 1
        assert set(events) == {"", "round"}


def test_rules_have_the_options_in_their_order_and_at_their_defaults() -> None:
    assert LaghettiRules._fields == ("players", *OPTIONS)
    assert LaghettiRules(4).options() == {name: option.default for name, option in OPTIONS.items()}


def test_a_random_game_never_leaves_a_trick_unfinished() -> None:
    rng = random.Random(9)
    for _ in range(3):
        state = random_game_table(LAGHETTI, rng.choice((3, 4)), {}, rng.randrange(1000)).state
        assert isinstance(state, LaghettiPosition)
        assert not state.cards
        assert not any(state.hands)
