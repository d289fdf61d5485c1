"""What an arbiter ruled, and what it does to results and to who takes part, computed from the rulings that hold.

Played results stay as they are, and so do the rulings: one that is taken back stands in the log, and a later one names
it. What follows from the rulings follows from those that still hold, as if the others had never been made.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from tournaments.standings.results import Result, SeatResult


class RulingCode(StrEnum):
    VOID = "void"  # the match does not count
    REPLAY = "replay"  # nor does this one: another is played in its place
    REPLACE = "replace"  # the match counts with the scores that are given
    DISQUALIFY = "disqualify"
    REINSTATE = "reinstate"  # the entrant, withdrawn by the rules, takes part again
    WITHDRAW = "withdraw"
    TAKE_BACK = "take_back"  # another ruling no longer holds
    REOPEN = "reopen"
    NOTE = "note"


OF_MATCHES: Final = frozenset({RulingCode.VOID, RulingCode.REPLAY, RulingCode.REPLACE})
OF_ENTRANTS: Final = frozenset({RulingCode.DISQUALIFY, RulingCode.WITHDRAW})


@dataclass(frozen=True, slots=True)
class StandingRuling:
    """``number`` orders the rulings of a tournament. It is about a match, an entrant, or neither.

    ``scores``: of a replaced match, by entrant; the game's own points are none. ``annul``: of a disqualified entrant,
    whether its results count for nobody; otherwise they stand for its opponents. ``new``: the match that is played in
    the place of a replayed one. ``names``: the number of the ruling that is taken back.
    """

    number: int
    kind: RulingCode
    match: int | None = None
    entrant: int | None = None
    scores: Mapping[int, float] = field(default_factory=dict)
    annul: bool = False
    new: int | None = None
    names: int | None = None


@dataclass(frozen=True, slots=True)
class Corrections:
    """What holds after all rulings: of each match and each entrant, the last one about it that holds.

    ``void`` matches do not count, ``open`` ones neither: another is played in their place; ``orphans`` were played in
    the place of one that counts again; ``given`` has the scores of replaced ones. ``disqualified`` entrants are mapped
    to whether their results are annulled; ``out`` has everyone whom a ruling has taken out, with the number of the
    first that did. Of a ruling that is only considered: ``undone`` matches would lose their place and ``restored`` ones
    have it again, ``released`` ones would be played after all, entrants who ``left`` would be gone, and those who come
    ``back`` would be there again.
    """

    void: frozenset[int] = frozenset()
    open: frozenset[int] = frozenset()
    given: Mapping[int, Mapping[int, float]] = field(default_factory=dict)
    disqualified: Mapping[int, bool] = field(default_factory=dict)
    orphans: frozenset[int] = frozenset()
    out: Mapping[int, int] = field(default_factory=dict)
    undone: frozenset[int] = frozenset()
    left: frozenset[int] = frozenset()
    back: frozenset[int] = frozenset()
    restored: frozenset[int] = frozenset()
    released: frozenset[int] = frozenset()

    def annulled(self, entrant: int) -> bool:
        """Tell whether the results of the entrant count for nobody."""
        return self.disqualified.get(entrant, False)

    def counts(self, match: int) -> bool:
        return match not in self.void | self.open | self.orphans | self.undone


def holding(rulings: Iterable[StandingRuling]) -> list[StandingRuling]:
    """Return the rulings that no later one which holds has taken back, in the order of their numbers."""
    gone: set[int] = set()
    held: list[StandingRuling] = []
    for ruling in sorted(rulings, key=lambda one: one.number, reverse=True):
        if ruling.number in gone:
            continue
        held.append(ruling)
        if ruling.kind is RulingCode.TAKE_BACK and ruling.names is not None:
            gone.add(ruling.names)
    return held[::-1]


def corrections(rulings: Iterable[StandingRuling]) -> Corrections:
    """Return the rulings that hold, folded in the order of their numbers."""
    made = list(rulings)
    held = holding(made)
    of_match: dict[int, StandingRuling] = {}
    of_entrant: dict[int, StandingRuling] = {}
    out: dict[int, int] = {}
    for ruling in held:
        if ruling.match is not None and ruling.kind in OF_MATCHES | {RulingCode.REINSTATE}:
            of_match[ruling.match] = ruling
        elif ruling.entrant is not None and ruling.kind in OF_ENTRANTS:
            out.setdefault(ruling.entrant, ruling.number)
            if ruling.kind is RulingCode.DISQUALIFY:
                of_entrant[ruling.entrant] = ruling
    return Corrections(
        void=frozenset(match for match, one in of_match.items() if one.kind is RulingCode.VOID),
        open=frozenset(match for match, one in of_match.items() if one.kind is RulingCode.REPLAY),
        given={match: one.scores for match, one in of_match.items() if one.kind is RulingCode.REPLACE},
        disqualified={entrant: one.annul for entrant, one in of_entrant.items()},
        orphans=_orphans(made, of_match),
        out=out,
    )


def _orphans(made: Sequence[StandingRuling], of_match: Mapping[int, StandingRuling]) -> frozenset[int]:
    """Return the matches played instead of one that is not replayed (any more), and those played instead of these."""
    instead = {one.new: one for one in sorted(made, key=lambda one: one.number) if one.new is not None}
    orphans: set[int] = set()
    for new, ruling in instead.items():
        if of_match.get(ruling.match or 0) is not ruling or ruling.match in orphans:
            orphans.add(new)
    return frozenset(orphans)


@dataclass(frozen=True, slots=True)
class Absence:
    """What keeps an entrant out beside rulings: it ``left`` by itself, or the rules have ``struck`` it out."""

    entrant: int
    left: bool = False
    struck: bool = False


def taking_part(absences: Iterable[Absence], held: Corrections) -> frozenset[int]:
    """Return who takes part: all who have neither left nor been struck out, and whom no active ruling has taken
    out.
    """
    return frozenset(one.entrant for one in absences if not (one.left or one.struck or one.entrant in held.out))


def corrected(results: Iterable[Result], held: Corrections) -> list[Result]:
    """Return the results that count, as they count."""
    return [_corrected(result, held) for result in results if held.counts(result.match)]


def _corrected(result: Result, held: Corrections) -> Result:
    given = held.given.get(result.match)
    seats = result.seats
    if given is not None:
        seats = tuple(
            SeatResult(seat.entrant, given.get(seat.entrant, 0), 0, seat.first, seat.forfeited) for seat in seats
        )
    if any(held.annulled(seat.entrant) for seat in seats):
        seats = tuple(replace(seat, annulled=held.annulled(seat.entrant)) for seat in seats)
    return result if seats is result.seats else replace(result, seats=seats)
