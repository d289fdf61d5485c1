"""The fields of a position of In cammino tra i laghetti, and the sheet with the tricks and points of each round."""

from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from games.catalogue.laghetti.rules import LaghettiRules
from games.state import Outcome


class TrickTaken(NamedTuple):
    """A finished trick. ``cards`` are in the order of play, from the leader."""

    leader: int
    feature: str
    cards: tuple[int, ...]
    winner: int  # a seat


class SheetRound(NamedTuple):
    """A finished round. All fields but the dealer are by seat."""

    dealer: int
    bids: tuple[int, ...]
    won: tuple[int, ...]  # tricks

    @property
    def points(self) -> tuple[int, ...]:
        return _points(self)


@lru_cache(maxsize=1 << 10)  # every view contains the points of all finished rounds
def _points(done: SheetRound) -> tuple[int, ...]:
    return tuple(map(laghetti_fields_points, done.bids, done.won))


def laghetti_fields_points(bid: int, won: int) -> int:
    """Return the points of a round: a bid that is met scores the bid plus 1, also for 0. Any other bid costs the
    difference.
    """
    return bid + 1 if won == bid else -abs(won - bid)


def laghetti_fields_standing(scores: tuple[int, ...]) -> Outcome:
    """Return places by points. Equal points share a place, because the sheet breaks no ties."""
    places = tuple(1 + sum(other > own for other in scores) for own in scores)
    return Outcome(scores, places, "rounds_played", "")


class LaghettiPhase(StrEnum):
    DEALER = "dealer"  # chance draws the first dealer
    DEAL = "deal"  # chance deals
    BID = "bid"
    LEAD = "lead"
    FOLLOW = "follow"
    OVER = "over"


DEALER, DEAL, BID, *_, OVER = LaghettiPhase  # access to a member of an enum is slow


class LaghettiFields(NamedTuple):
    rules: LaghettiRules
    phase: LaghettiPhase
    number: int  # number of the round, from 0
    dealer: int
    hands: tuple[tuple[int, ...], ...]  # by seat, lowest card first
    bids: tuple[int, ...]  # in the order of bidding, from the dealer's left
    tricks: tuple[TrickTaken, ...]  # finished in this round
    leader: int  # of the current trick
    feature: str  # named by the leader; "" before that
    cards: tuple[int, ...]  # played to the current trick
    last: TrickTaken | None  # the last finished trick of this round or the one before
    sheet: tuple[SheetRound, ...]
    scores: tuple[int, ...]

    @property
    def turn(self) -> int:
        """The number of the turn. Dealing and bidding is one turn, and so is each trick."""
        if self.phase is DEALER:
            return 0
        before = self.number + self.rules.dealt(self.number)
        bidding = self.phase is DEAL or self.phase is BID
        return before + 1 if bidding else before + 1 + len(self.tricks) + (self.phase is not OVER)

    @property
    def cards_each(self) -> int:
        """How many cards each player is dealt in this round."""
        return self.rules.schedule[self.number]

    @property
    def forbidden(self) -> int | None:
        """The bid that the dealer, who bids last, may not make: with it, all bids could be met."""
        left = self.cards_each - sum(self.bids)
        return left if len(self.bids) == self.rules.players - 1 and left >= 0 else None

    def won(self) -> tuple[int, ...]:
        """Return the tricks won in this round, by seat."""
        winners = [trick.winner for trick in self.tricks]
        return tuple(map(winners.count, range(self.rules.players)))

    def bids_by_seat(self) -> tuple[int | None, ...]:
        players = self.rules.players
        made = (*self.bids, *(None,) * (players - len(self.bids)))
        return tuple(made[(seat - self.dealer - 1) % players] for seat in range(players))
