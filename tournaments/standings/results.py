"""What standings are made of: finished matches, and what they add up to for each entrant."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Final

ONE: Final = Fraction(1)


@lru_cache(maxsize=256)
def exactly(points: float) -> Fraction:
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
                tally.gains.append(exactly(gained))
            else:
                tally.gains.append(exactly(gained) * result.worth)
                tally.exact += tally.gains[-1]
            tally.played += 1
            tally.games += result.games
            tally.matches_won += min(points) == 1
            tally.game_points += seat.game_points
            tally.margin += seat.game_points * len(seats) - game_points
            tally.forfeited += seat.forfeited
    for bye in byes:
        tallies[bye.entrant].byes.append(bye)
        tallies[bye.entrant].exact += exactly(bye.points)
    for tally in tallies.values():
        tally.exact += exactly(halves[tally.entrant])
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
