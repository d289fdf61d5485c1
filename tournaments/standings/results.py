"""What standings are made of: finished matches, what they add up to for each entrant, and what the rulings that hold
do to results and to who takes part.

Played results stay as they are, and so do the rulings: one that is taken back stands in the log, and a later one names
it. What follows from the rulings follows from those that still hold, as if the others had never been made.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import Final

ONE: Final = Fraction(1)


@lru_cache(maxsize=256)
def exact_points(points: float) -> Fraction:
    """Return points, of which there are few different ones, as a fraction: to make it takes longer than to add it."""
    return Fraction(points)


@dataclass(frozen=True, slots=True)
class SeatResult:
    """An entrant's share of a match.

    ``score`` sums over the games the share of opponents beaten (ties half), so it lies in 0..games; ``game_points``
    sums the game's own points (worms); ``first`` counts games won; ``forfeited`` counts games in which the bot was at
    fault. Who ``forfeited_match`` has lost to everyone who did not, whatever the scores; nobody has beaten whom of two.
    An ``annulled`` share counts for nobody: the others are as if they had met among themselves, for which their
    ``places``, game by game, must be known.
    """

    entrant: int
    score: float
    game_points: int
    first: int = 0
    forfeited: int = 0
    forfeited_match: bool = False
    annulled: bool = False
    places: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """A finished match of ``games`` games. ``worth``: points for every opponent beaten, more than one at a table that
    is smaller than the others, so that beating everyone gives the same at each. ``match``: by which rulings name it;
    ``round``: the one that it was drawn in."""

    games: int
    seats: tuple[SeatResult, ...]
    worth: Fraction = ONE
    match: int = 0
    round: int = 0


@dataclass(frozen=True, slots=True)
class ScoredBye:
    """A round in which an entrant found no seat, and the points it was given for it. ``requested``: it stayed away by
    its own wish, as FIDE's half-point byes are."""

    entrant: int
    points: float
    round: int = 0
    requested: bool = False


@dataclass(frozen=True, slots=True)
class ScoredMeeting:
    """What one entrant made of one opponent in one match: 1 beaten, 0.5 level, 0 lost; ``forfeited``: by one of the
    two, or by both."""

    opponent: int
    points: float
    forfeited: bool = False


@dataclass(slots=True)
class ScoreRecord:
    """Everything an entrant has done, as the tie-breaks read it. ``points`` sums its meetings, by worth, and byes."""

    entrant: int
    meetings: list[ScoredMeeting] = field(default_factory=list)
    tables: list[tuple[int, ...]] = field(default_factory=list)  # its opponents in each match
    matches: list[int] = field(default_factory=list)  # the numbers of these
    rounds: list[int] = field(default_factory=list)  # in which these were drawn
    byes: list[ScoredBye] = field(default_factory=list)
    gains: list[Fraction] = field(default_factory=list)  # the points that each gave
    exact: Fraction = Fraction(0)  # points before rounding: sums of thirds that are equal stay equal
    points: float = 0
    played: int = 0
    games: int = 0
    matches_won: int = 0  # ahead of everyone at the table
    game_points: int = 0
    margin: int = 0  # own game points minus theirs, summed over opponents
    forfeited: int = 0

    def count(self, points: float) -> int:
        """Count the meetings that ended with ``points``: 1 won, 0.5 drawn, 0 lost."""
        return sum(meeting.points == points for meeting in self.meetings)


def tallied(
    entrants: Sequence[int], results: Iterable[Result], byes: Iterable[ScoredBye] = ()
) -> dict[int, ScoreRecord]:
    """Return a tally for each entrant, those without a result included.

    In each match an entrant gains a point for every opponent whose total score is lower and half a point for every
    equal one, times the match's worth, so that beating a whole table of k gives k - 1. Who forfeited the match gains
    nothing, and everyone who did not gains a point for it.
    """
    tallies = {entrant: ScoreRecord(entrant) for entrant in entrants}
    halves: defaultdict[int, float] = defaultdict(float)  # exact too, and added in a tenth of the time
    for result in results:
        seats = [seat for seat in result.seats if not seat.annulled]
        if len(seats) < 2:
            continue
        game_points = sum(seat.game_points for seat in seats)
        whole = {seat.entrant: None if seat.forfeited_match else _whole(seat, seats, result) for seat in seats}
        for seat in seats:
            tally = tallies[seat.entrant]
            opponents = [other for other in seats if other is not seat]
            points = [_points(whole[seat.entrant], whole[other.entrant]) for other in opponents]
            others = [other.entrant for other in opponents]
            forfeits = [seat.forfeited_match or other.forfeited_match for other in opponents]
            tally.meetings += map(ScoredMeeting, others, points, forfeits)
            tally.tables.append(tuple(others))
            tally.matches.append(result.match)
            tally.rounds.append(result.round)
            gained = sum(points)
            if result.worth == ONE:
                halves[seat.entrant] += gained
                tally.gains.append(exact_points(gained))
            else:
                tally.gains.append(exact_points(gained) * result.worth)
                tally.exact += tally.gains[-1]
            tally.played += 1
            tally.games += result.games
            tally.matches_won += min(points) == 1
            tally.game_points += seat.game_points
            tally.margin += seat.game_points * len(seats) - game_points
            tally.forfeited += seat.forfeited
    for bye in byes:
        tallies[bye.entrant].byes.append(bye)
        tallies[bye.entrant].exact += exact_points(bye.points)
    for tally in tallies.values():
        tally.exact += exact_points(halves[tally.entrant])
        tally.points = float(tally.exact)
    return tallies


def _whole(seat: SeatResult, seats: Sequence[SeatResult], result: Result) -> int:
    """Return what a seat has won of the others in ``seats``, in whole parts of games, so that equal scores are
    equal.
    """
    if len(seats) < len(result.seats) and seat.places:
        pairs = [pair for other in seats if other is not seat for pair in zip(seat.places, other.places, strict=True)]
        return sum(2 * (mine < theirs) + (mine == theirs) for mine, theirs in pairs)
    return round(seat.score * 2 * (len(result.seats) - 1))


def _points(mine: int | None, theirs: int | None) -> float:
    """Return the points of a meeting; ``None`` has forfeited."""
    if mine is None or theirs is None:
        return 0 if mine is None else 1
    return 1 if mine > theirs else 0.5 if mine == theirs else 0


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


def rulings_holding(rulings: Iterable[StandingRuling]) -> list[StandingRuling]:
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


def rulings_corrections(rulings: Iterable[StandingRuling]) -> Corrections:
    """Return the rulings that hold, folded in the order of their numbers."""
    made = list(rulings)
    held = rulings_holding(made)
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


def results_corrected(results: Iterable[Result], held: Corrections) -> list[Result]:
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
