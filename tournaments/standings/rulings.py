"""What an arbiter ruled, and what it does to results. Played results stay as they are: standings fold over both."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from tournaments.standings.results import Result, Seat


class Kind(StrEnum):
    VOID = "void"  # the match does not count
    REPLAY = "replay"  # nor does this one: another is played in its place
    REPLACE = "replace"  # the match counts with the scores that are given
    DISQUALIFY = "disqualify"
    REINSTATE = "reinstate"  # the match or the entrant is again what it was before it was ruled upon, or withdrawn
    WITHDRAW = "withdraw"
    REOPEN = "reopen"
    NOTE = "note"


OF_MATCHES: Final = frozenset({Kind.VOID, Kind.REPLAY, Kind.REPLACE})


@dataclass(frozen=True, slots=True)
class Ruling:
    """``number`` orders the rulings of a tournament. It is about a match, an entrant, or neither.

    ``scores``: of a replaced match, by entrant; the game's own points are none. ``annul``: of a disqualified entrant,
    whether its results count for nobody; otherwise they stand for its opponents.
    """

    number: int
    kind: Kind
    match: int | None = None
    entrant: int | None = None
    scores: Mapping[int, float] = field(default_factory=dict)
    annul: bool = False


@dataclass(frozen=True, slots=True)
class Corrections:
    """What holds after all rulings: of each match and each entrant, the last one about it.

    ``void`` matches do not count, ``open`` ones neither: another is played in their place; ``given`` has the scores of
    replaced ones; ``disqualified`` entrants are mapped to whether their results are annulled. Of a ruling that is only
    considered: ``undone`` matches would lose their place, entrants who ``left`` would be gone, and those who come
    ``back`` would be there again.
    """

    void: frozenset[int] = frozenset()
    open: frozenset[int] = frozenset()
    given: Mapping[int, Mapping[int, float]] = field(default_factory=dict)
    disqualified: Mapping[int, bool] = field(default_factory=dict)
    undone: frozenset[int] = frozenset()
    left: frozenset[int] = frozenset()
    back: frozenset[int] = frozenset()

    def annulled(self, entrant: int) -> bool:
        """Whether the results of the entrant count for nobody."""
        return self.disqualified.get(entrant, False)

    def counts(self, match: int) -> bool:
        return match not in self.void | self.open | self.undone


def corrections(rulings: Iterable[Ruling]) -> Corrections:
    """The rulings folded in the order of their numbers."""
    of_match: dict[int, Ruling] = {}
    of_entrant: dict[int, Ruling] = {}
    for ruling in sorted(rulings, key=lambda one: one.number):
        if ruling.match is not None and ruling.kind in OF_MATCHES | {Kind.REINSTATE}:
            of_match[ruling.match] = ruling
        elif ruling.entrant is not None and ruling.kind in (Kind.DISQUALIFY, Kind.REINSTATE):
            of_entrant[ruling.entrant] = ruling
    return Corrections(
        void=frozenset(match for match, one in of_match.items() if one.kind is Kind.VOID),
        open=frozenset(match for match, one in of_match.items() if one.kind is Kind.REPLAY),
        given={match: one.scores for match, one in of_match.items() if one.kind is Kind.REPLACE},
        disqualified={entrant: one.annul for entrant, one in of_entrant.items() if one.kind is Kind.DISQUALIFY},
    )


def corrected(results: Iterable[Result], held: Corrections) -> list[Result]:
    """The results that count, as they count."""
    return [_corrected(result, held) for result in results if held.counts(result.match)]


def _corrected(result: Result, held: Corrections) -> Result:
    given = held.given.get(result.match)
    seats = result.seats
    if given is not None:
        seats = tuple(Seat(seat.entrant, given.get(seat.entrant, 0), 0, seat.first, seat.forfeited) for seat in seats)
    if any(held.annulled(seat.entrant) for seat in seats):
        seats = tuple(replace(seat, annulled=held.annulled(seat.entrant)) for seat in seats)
    return result if seats is result.seats else replace(result, seats=seats)
