"""The suite's own proof: a toy game with hidden hands passes, and the same game with a leak does not."""

from dataclasses import dataclass, replace
from random import Random
from typing import Any, NamedTuple

import pytest

from games.chance import ChanceSource, chance_even
from games.state import CHANCE, Outcome, State
from pecking.testing.checks import (
    check_actions,
    check_frozen,
    check_outcome,
    check_reading,
    check_redealt,
    check_secrets,
    check_seen,
    check_view_own,
)

CARDS = ("1", "2", "3")


class Deal(NamedTuple):
    seat: int
    cards: tuple[str, ...]

    def draw(self, luck: ChanceSource) -> str:
        return f"deal {self.cards[chance_even(luck, f'deal/{self.seat}', 0, len(self.cards))]}"


@dataclass(frozen=True, slots=True)
class HighCard(State):
    """Two players are dealt a hidden card each; seat 0 says whether it is the higher one, seat 1 shows its own."""

    hands: tuple[str, ...] = ()
    bid: str = ""
    shown: bool = False
    leaky: bool = False
    loud: bool = False
    stuck: bool = False

    @property
    def actor(self) -> int:
        if len(self.hands) < 2 or self.shown:
            return CHANCE
        return 1 if self.bid else 0

    @property
    def turn(self) -> int:
        return len(self.hands) + bool(self.bid)

    def actions(self) -> tuple[str, ...]:
        if len(self.hands) < 2:
            return tuple(f"deal {card}" for card in CARDS if card not in self.hands)
        if self.shown:
            return ()
        return (f"show {self.hands[1]}",) if self.bid else ("high", "low")

    def chance(self) -> Deal | None:
        return None if len(self.hands) == 2 else Deal(len(self.hands), tuple(a[5:] for a in self.actions()))

    def play(self, action: str) -> "HighCard":
        if action.startswith("deal "):
            return replace(self, hands=(*self.hands, action[5:]))
        return replace(self, shown=True) if action.startswith("show ") else replace(self, bid=action)

    def seen(self, action: str, seat: int) -> str | None:
        return None if action.startswith("deal ") and seat != len(self.hands) and not self.loud else action

    def view(self, seat: int | None) -> dict[str, Any]:
        open_to = [seat in (None, owner) or self.leaky or (self.shown and owner == 1) for owner in (0, 1)]
        hands = [hand if open_to[owner] else "?" for owner, hand in enumerate(self.hands)]
        actions = list(self.actions()) if seat is not None and seat == self.actor else []
        return {"hands": hands, "bid": self.bid, "you": seat, "actions": actions}

    def resample(self, seat: int, rng: Random) -> "HighCard":
        unseen = [card for card in CARDS if self.hands[seat : seat + 1] != (card,)]
        if self.stuck or len(self.hands) < 2 - seat or (self.shown and seat == 0):
            return self
        card = rng.choice(unseen)
        return replace(self, hands=tuple(own if owner == seat else card for owner, own in enumerate(self.hands)))

    def outcome(self) -> Outcome | None:
        if not self.shown:
            return None
        wins = (self.hands[0] > self.hands[1]) == (self.bid == "high")
        return Outcome((1, 0), (1, 2), "shown", "") if wins else Outcome((0, 1), (2, 1), "shown", "")

    def facts(self) -> tuple[Any, ...]:
        return self.hands, self.bid, self.shown


def test_a_game_with_hidden_hands_conforms() -> None:
    state = HighCard()
    check_secrets(state, 2, depth=4)
    for action in ("deal 2", "deal 3", "low", "show 3"):
        check_actions(state, 2, ("high", "low", "show 1", "show 2", "show 3"))
        check_reading(state)
        check_frozen(state)
        check_secrets(state, 2)
        check_seen(state, 2)
        state = state.play(action)
    outcome = state.outcome()
    assert outcome is not None
    check_outcome(outcome, 2)


def test_a_leaking_view_fails() -> None:
    with pytest.raises(AssertionError):
        check_secrets(HighCard(leaky=True), 2)


def test_a_state_that_is_not_redealt_fails() -> None:
    with pytest.raises(AssertionError):
        check_secrets(HighCard(stuck=True), 2)


def test_a_view_that_is_remembered_and_given_away_fails() -> None:
    class Remembering(HighCard):
        calls: list[Any] = []

        def view(self, seat: int | None) -> dict[str, Any]:
            return super().view(seat) | {"cards": self.calls}

    state = Remembering()
    check_view_own(state, 0)
    state.calls.append(1)
    with pytest.raises(AssertionError):
        check_view_own(state, 0)


def test_an_action_shown_to_a_seat_whose_view_hides_it_fails() -> None:
    with pytest.raises(AssertionError):
        check_seen(HighCard(loud=True), 2)


def played(state: State, *actions: str) -> list[State]:
    """The states before and after each action."""
    states = [state]
    for action in actions:
        states.append(states[-1].play(action))
    return states


def test_another_deal_out_of_sight_looks_the_same() -> None:
    actions = ("deal 2", "deal 3", "low")
    states = played(HighCard(), *actions)[:-1]
    assert check_redealt(states, actions, 0, 1, "deal 1") == 1
    assert check_redealt(states, actions, 1, 0, "deal 1") == 2


def test_a_view_that_leaks_another_deal_fails() -> None:
    actions = ("deal 2", "deal 3", "low")
    states = played(HighCard(leaky=True), *actions)[:-1]
    for seat in range(2):
        with pytest.raises(AssertionError):
            check_redealt(states, actions, seat, 1 - seat, "deal 1")


def test_places_that_do_not_follow_the_points_fail() -> None:
    with pytest.raises(AssertionError):
        check_outcome(Outcome((3, 5), (1, 2), "shown", ""), 2)
    with pytest.raises(AssertionError):
        check_outcome(Outcome((3, 3, 1), (1, 1, 2), "shown", ""), 3)
