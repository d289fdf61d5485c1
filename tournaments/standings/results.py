"""The data for standings: results of matches, their sums for each entrant, and the effects of rulings on them.

Results and rulings are never changed. A ruling that is taken back stays in the log: a later ruling takes it back by its
number. The corrections are computed only from the rulings in effect, as if the other rulings had never been made.
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
def standings_exact_points(points: float) -> Fraction:
    """Convert points to a fraction.

    The results are cached: a conversion takes longer than an addition, and there are few different values.
    """
    return Fraction(points)


@dataclass(frozen=True, slots=True)
class SeatResult:
    """The result of an entrant in a match.

    ``score`` sums the entrant's share of opponents beaten over all games; a tie counts half. It is between 0 and the
    number of games. ``game_points`` sums the game's own points, e.g. worms. ``first`` is the number of games won.
    ``forfeited`` is the number of games in which the bot was at fault.

    An entrant that ``forfeited_match`` loses to all entrants that did not forfeit, whatever the scores. From the others
    that forfeited, it gains nothing.

    An ``annulled`` result does not count: the standings are computed as if only the other entrants had met. To compute
    this, the ``places`` of the others in each game must be known.
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
    """A finished match of ``games`` games.

    ``worth`` is the number of points for each opponent beaten. It is more than 1 at a table that is smaller than the
    others, so that beating everyone gives the same points at each table. ``match`` is the id by which rulings refer to
    the match. ``round`` is the round in which the match was drawn.
    """

    games: int
    seats: tuple[SeatResult, ...]
    worth: Fraction = ONE
    match: int = 0
    round: int = 0


@dataclass(frozen=True, slots=True)
class ScoredBye:
    """A round in which an entrant had no seat, and the points for this bye.

    ``requested`` tells whether the entrant asked for the bye, as for FIDE's half-point byes.
    """

    entrant: int
    points: float
    round: int = 0
    requested: bool = False


@dataclass(frozen=True, slots=True)
class ScoredMeeting:
    """The result of an entrant against one opponent in a match: 1 for a win, 0.5 for a draw, 0 for a loss.

    ``forfeited`` tells whether at least one of the two forfeited the match.
    """

    opponent: int
    points: float
    forfeited: bool = False


@dataclass(slots=True)
class ScoreRecord:
    """All results of an entrant, for the tie-breaks.

    ``points`` sums the points of its meetings, each times the worth of the match, and the points of its byes.
    """

    entrant: int
    meetings: list[ScoredMeeting] = field(default_factory=list)
    tables: list[tuple[int, ...]] = field(default_factory=list)  # the entrant's opponents in each match
    matches: list[int] = field(default_factory=list)  # the id of each match
    rounds: list[int] = field(default_factory=list)  # the round in which each match was drawn
    byes: list[ScoredBye] = field(default_factory=list)
    gains: list[Fraction] = field(default_factory=list)  # the points from each match
    exact: Fraction = Fraction(0)  # points before rounding, so that equal sums of thirds stay equal
    points: float = 0
    played: int = 0
    games: int = 0
    matches_won: int = 0  # matches in which the entrant finished ahead of everyone at the table
    game_points: int = 0
    margin: int = 0  # the entrant's game points minus those of an opponent, summed over all opponents
    forfeited: int = 0

    def count(self, points: float) -> int:
        """Return the number of meetings that ended with ``points``: 1 for a win, 0.5 for a draw, 0 for a loss."""
        return sum(meeting.points == points for meeting in self.meetings)


def standings_tallied(
    entrants: Sequence[int], results: Iterable[Result], byes: Iterable[ScoredBye] = ()
) -> dict[int, ScoreRecord]:
    """Return the results of each entrant, including entrants without results.

    In each match, an entrant gains one point for each opponent with a lower total score, and half a point for each
    opponent with an equal score. So beating everyone at a table of k gives k - 1 points. An entrant that forfeited the
    match gains nothing. Each of the others gains one point for every entrant that forfeited. All these points are
    multiplied by the worth of the match.
    """
    tallies = {entrant: ScoreRecord(entrant) for entrant in entrants}
    halves: defaultdict[int, float] = defaultdict(float)  # floats, which are exact for halves and ten times faster
    for result in results:
        seats = [seat for seat in result.seats if not seat.annulled]
        if len(seats) < 2:
            continue
        game_points = sum(seat.game_points for seat in seats)
        whole = {seat.entrant: None if seat.forfeited_match else _whole_score(seat, seats, result) for seat in seats}
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
                tally.gains.append(standings_exact_points(gained))
            else:
                tally.gains.append(standings_exact_points(gained) * result.worth)
                tally.exact += tally.gains[-1]
            tally.played += 1
            tally.games += result.games
            tally.matches_won += min(points) == 1
            tally.game_points += seat.game_points
            tally.margin += seat.game_points * len(seats) - game_points
            tally.forfeited += seat.forfeited
    for bye in byes:
        tallies[bye.entrant].byes.append(bye)
        tallies[bye.entrant].exact += standings_exact_points(bye.points)
    for tally in tallies.values():
        tally.exact += standings_exact_points(halves[tally.entrant])
        tally.points = float(tally.exact)
    return tallies


def _whole_score(seat: SeatResult, seats: Sequence[SeatResult], result: Result) -> int:
    """Return the score of a seat against the others in ``seats`` as an integer, so that equal scores compare as equal.

    The unit is a fixed fraction of a game.
    """
    if len(seats) < len(result.seats) and seat.places:
        pairs = [pair for other in seats if other is not seat for pair in zip(seat.places, other.places, strict=True)]
        return sum(2 * (mine < theirs) + (mine == theirs) for mine, theirs in pairs)
    return round(seat.score * 2 * (len(result.seats) - 1))


def _points(mine: int | None, theirs: int | None) -> float:
    """Return the points of a meeting: 1, 0.5 or 0. ``mine`` and ``theirs`` are the scores, None after a forfeit."""
    if mine is None or theirs is None:
        return 0 if mine is None else 1
    return 1 if mine > theirs else 0.5 if mine == theirs else 0


class RulingCode(StrEnum):
    VOID = "void"  # the match does not count
    REPLAY = "replay"  # the match does not count, and another one is played in its place
    REPLACE = "replace"  # the match counts with the scores in the ruling
    DISQUALIFY = "disqualify"
    REINSTATE = "reinstate"  # an entrant that the rules withdrew takes part again
    WITHDRAW = "withdraw"
    TAKE_BACK = "take_back"  # another ruling is no longer in effect
    REOPEN = "reopen"
    NOTE = "note"


OF_MATCHES: Final = frozenset({RulingCode.VOID, RulingCode.REPLAY, RulingCode.REPLACE})
OF_ENTRANTS: Final = frozenset({RulingCode.DISQUALIFY, RulingCode.WITHDRAW})


@dataclass(frozen=True, slots=True)
class StandingRuling:
    """A ruling about a match, an entrant, or neither. ``number`` orders the rulings of a tournament.

    For ``REPLACE``, ``scores`` has the new score of each entrant; the match then has no points of the game. For
    ``DISQUALIFY``, ``annul`` tells whether the results of the entrant count for nobody; otherwise they still count for
    its opponents. For ``REPLAY``, ``new`` is the match that is played in place of the old one. For ``TAKE_BACK``,
    ``names`` is the number of the ruling that is taken back.
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
    """The effects of all rulings. For each match and entrant, the last ruling in effect applies.

    Three fields have matches that do not count: ``void`` matches; ``open`` matches, in place of which another match is
    played; and ``orphans``, which were played in place of a match that counts again. ``given`` has the scores of the
    matches to which a ruling gave a result.

    ``disqualified`` has the disqualified entrants, and tells for each whether its results are annulled. ``out`` has the
    entrants that a ruling keeps out, each with the number of the first such ruling.

    The other fields say what a ruling would change. The matches in ``undone`` would be superseded, those in
    ``restored`` would count again, and those in ``released`` would be played after all. The entrants in ``left`` would
    leave, and those in ``back`` would come back.
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
        """Return whether the results of the entrant count for nobody."""
        return self.disqualified.get(entrant, False)

    def counts(self, match: int) -> bool:
        return match not in self.void | self.open | self.orphans | self.undone


def standings_rulings_active(rulings: Iterable[StandingRuling]) -> list[StandingRuling]:
    """Return the rulings in effect, in the order of their numbers.

    A ruling is in effect unless a later ruling that is in effect takes it back.
    """
    gone: set[int] = set()
    held: list[StandingRuling] = []
    for ruling in sorted(rulings, key=lambda one: one.number, reverse=True):
        if ruling.number in gone:
            continue
        held.append(ruling)
        if ruling.kind is RulingCode.TAKE_BACK and ruling.names is not None:
            gone.add(ruling.names)
    return held[::-1]


def standings_corrections(rulings: Iterable[StandingRuling]) -> Corrections:
    """Compute the corrections from the rulings in effect, applied in the order of their numbers."""
    made = list(rulings)
    held = standings_rulings_active(made)
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
    """Return the orphans: matches that were played because of a replay ruling which is no longer in effect.

    If an orphan was replayed too, the match that was played in its place is also an orphan.
    """
    instead = {one.new: one for one in sorted(made, key=lambda one: one.number) if one.new is not None}
    orphans: set[int] = set()
    for new, ruling in instead.items():
        if of_match.get(ruling.match or 0) is not ruling or ruling.match in orphans:
            orphans.add(new)
    return frozenset(orphans)


@dataclass(frozen=True, slots=True)
class Absence:
    """Whether an entrant is out for reasons other than rulings.

    ``left`` tells whether its author or the organiser withdrew it, ``struck`` whether the rules withdrew it.
    """

    entrant: int
    left: bool = False
    struck: bool = False


def standings_taking_part(absences: Iterable[Absence], held: Corrections) -> frozenset[int]:
    """Return the entrants that take part: nobody withdrew them, and neither the rules nor a ruling keep them out."""
    return frozenset(one.entrant for one in absences if not (one.left or one.struck or one.entrant in held.out))


def standings_results_corrected(results: Iterable[Result], held: Corrections) -> list[Result]:
    """Return the results that count, with corrections applied."""
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
