"""Random games of Karteneck: nothing is lost, nothing leaks, and everything ends."""

import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from games.catalogue import current
from games.catalogue.karteneck.cards import (
    DECK_SIZE,
    DRAWS,
    IN_THE_BOX,
    ONE,
    PORTIONS,
    WHOLE_DECK,
    Card,
    cards_highest_tag,
    cards_names,
    cards_size,
    cards_total,
)
from games.catalogue.karteneck.portions import Reveal
from games.catalogue.karteneck.position import KarteneckPosition
from games.catalogue.karteneck.rules import OPTIONS
from games.dealer import Dealer
from games.record import Record
from games.table import Table
from pecking.testing.random_games import random_game_seed, random_game_states
from tests.examples import examples
from tests.games.karteneck_positions import play, position

KARTENECK = current("karteneck")

players = st.sampled_from(KARTENECK.usual_seats)
options = st.fixed_dictionaries({name: st.sampled_from(option.allowed) for name, option in OPTIONS.items()})
cases = st.tuples(players, options) | st.tuples(st.just(6), options.map(lambda chosen: {**chosen, "max_players": 6}))
keys = st.integers(0, 2**64)
GAMES = examples(60, suppress_health_check=[HealthCheck.too_slow])


def frugal(state: KarteneckPosition, rng: random.Random) -> str:
    """Random, but seldom passes before the worm: displays with worms, thefts, and decks that run out."""
    legal = state.actions()
    worm = state.cards.displays[state.seat] >> 25
    keen = [action for action in legal if action != "pass"]
    return rng.choice(keen) if keen and (not worm or rng.random() < 0.5) else rng.choice(legal)


def assert_all_is_there(state: KarteneckPosition) -> None:
    cards, portions = state.cards, state.portions
    assert sum(cards.hands) + sum(cards.displays) + cards.deck + cards.discard == WHOLE_DECK
    seen = sorted([*portions.grill, *(one for stack in portions.stacks for one in stack)])
    unseen = [value for place, value in enumerate(PORTIONS) if portions.unseen >> place & 1]
    assert sorted(seen + unseen) == list(PORTIONS)


@GAMES
@given(case=cases, key=keys)
def test_cards_and_portions_are_conserved_and_everyone_gets_one_portion_a_round(
    case: tuple[int, dict[str, Any]], key: int
) -> None:
    players, options = case
    table, rng = Table(KARTENECK, players, options, random_game_seed("hypothesis", key)), random.Random(key)
    rounds = 0
    while not table.over:
        state = table.state
        assert isinstance(state, KarteneckPosition)
        assert_all_is_there(state)
        assert all(cards_size(hand) == len(cards_names(hand)) for hand in state.cards.hands)
        if state.round != rounds:
            rounds += 1
            assert state.round == rounds
            assert sum(map(len, state.portions.stacks)) == players * (rounds - 1)
        assert len(state.portions.grill) == players - state.passed.count("invalid")
        table.play(frugal(state, rng))
    end = table.state
    assert isinstance(end, KarteneckPosition)
    assert_all_is_there(end)
    assert rounds == end.rules.rounds
    assert sum(map(len, end.portions.stacks)) == players * rounds == 30 - IN_THE_BOX[players]
    record = table.record()
    assert len(record.actions) <= KARTENECK.max_actions(players, table.options)
    assert Record.decode(record.encode()).verify() == table.outcome


@GAMES
@given(players=players, key=keys)
def test_whether_thefts_count_for_the_start_never_changes_a_game(players: int, key: int) -> None:
    """The thief takes part in the menu, which comes later: the last one in it starts."""
    table, rng = Table(KARTENECK, players, {}, random_game_seed("theft", key)), random.Random(key)
    while not table.over:
        state = table.state
        assert isinstance(state, KarteneckPosition)
        table.play(frugal(state, rng))
    other = Table(KARTENECK, players, {"start_counts_steal": True}, random_game_seed("theft", key))
    for action in table.record().actions:
        other.play(action)
    assert other.outcome == table.outcome


def redealt(state: KarteneckPosition, seat: int, rng: random.Random) -> KarteneckPosition:
    """All that ``seat`` cannot see dealt again: the hands of others, the deck, the portions nobody has seen."""
    cards = state.cards
    others = [other for other in range(len(cards.hands)) if other != seat]
    pool = cards_names(cards.deck + sum(cards.hands[other] for other in others))
    rng.shuffle(pool)
    hands = list(cards.hands)
    for other in others:
        hands[other] = sum(ONE[pool.pop()] for _ in range(cards_size(cards.hands[other])))
    return state._replace(cards=cards._replace(hands=tuple(hands), deck=sum(map(ONE.__getitem__, pool))))


@pytest.mark.parametrize("reshuffle", ["lazy", "eager"])
@pytest.mark.parametrize("players", KARTENECK.seats)
def test_another_deal_of_what_a_seat_cannot_see_looks_the_same(players: int, reshuffle: str) -> None:
    rng, changed = random.Random(players), 0
    for state, _ in random_game_states(KARTENECK, players, {"reshuffle": reshuffle, "max_players": 6}, players):
        assert isinstance(state, KarteneckPosition)
        for seat in range(players):
            other = redealt(state, seat, rng)
            changed += other != state
            assert other.view(seat) == state.view(seat)
            if state.actor == seat:
                assert other.actions() == state.actions()
            assert other.actor == state.actor
    assert changed > 100


@examples(100)
@given(key=keys)
def test_a_seat_draws_the_same_cards_against_any_rivals_but_for_those_that_they_hold(key: int) -> None:
    """Seat 0's first hand is dealt first. Later cards differ only where a rival has the very card."""
    hands = [Table(KARTENECK, players, {}, random_game_seed("luck", key)).view(0)["hands"][0] for players in (2, 5)]
    assert hands[0] == hands[1]
    dealer, unchanged = Dealer(random_game_seed("luck", key)), 0
    whole = dealer.deal(Card("hand/0/9", WHOLE_DECK))
    for name in ONE:
        without = dealer.deal(Card("hand/0/9", WHOLE_DECK - ONE[name]))
        unchanged += without == whole
    assert unchanged >= len(ONE) - 1


def test_the_luck_of_a_draw_is_the_seats_own_however_much_the_others_have_drawn() -> None:
    def request(*drawn: int) -> Any:
        state = position("1 1|", "|")
        return play(state._replace(cards=state.cards._replace(drawn=drawn)), "play 1x1").chance()

    assert request(9, 6) == request(9, 30)
    assert request(9, 6).key != request(10, 6).key
    keys = {play(position("1|", "1|", seat=seat), "play 1x1").chance() for seat in (0, 1)}
    assert len(keys) == 2


def test_the_dealer_draws_only_what_there_is_and_all_of_it() -> None:
    dealer, deck, drawn = Dealer(random_game_seed("all")), WHOLE_DECK, []
    for number in range(DECK_SIZE):
        action = dealer.deal(Card(f"hand/0/{number}", deck))
        deck -= DRAWS[action]
        drawn.append(action.removeprefix("draw "))
    assert deck == 0
    assert sorted(drawn) == sorted(cards_names(WHOLE_DECK))
    revealed = {dealer.deal(Reveal(f"portion/{number}/0", (1 << 30) - 1)) for number in range(300)}
    assert len(revealed) == 28


@pytest.mark.parametrize("key", range(20))
def test_the_menu_is_in_order_of_totals_and_tags(key: int) -> None:
    for before, action in random_game_states(KARTENECK, 4, {}, key):
        after = before.play(action)
        assert isinstance(after, KarteneckPosition)
        if after.event() in ("menu", "end") and after.last is not None:
            menu = after.last.menu
            merits = [(cards_total(share.cards), cards_highest_tag(share.cards)) for share in menu]
            assert merits == sorted(merits, reverse=True)
            assert [share.portion for share in menu] == sorted((share.portion for share in menu), reverse=True)
            assert all(after.portions.stacks[share.seat][-1] == share.portion for share in menu)


def test_a_long_game_runs_through_the_deck_and_shuffles_the_discards() -> None:
    refilled = 0
    for before, action in random_game_states(KARTENECK, 5, {}, 11):
        assert isinstance(before, KarteneckPosition)
        after = before.play(action)
        assert isinstance(after, KarteneckPosition)
        refilled += cards_size(after.cards.deck) > cards_size(before.cards.deck)
    assert refilled >= 1
