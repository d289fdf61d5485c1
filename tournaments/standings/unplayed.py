"""Unplayed rounds in a Swiss with tables of two: article 16 of FIDE's tie-break regulations.

This follows the edition of Handbook C.07 that is in force since March 2026, with one additional rule. A match may have
no result, because it was ruled void or because the other bot's results were annulled. Such a round is not voluntary,
and for the tie-breaks of the bot's opponents it counts as a draw. Numbers such as 16.5 are those of FIDE's articles.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import chain
from typing import Final

from tournaments.standings.results import ScoredBye, ScoredMeeting, ScoreRecord, standings_exact_points

DRAW: Final = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A drawn round. ``seated`` are the entrants with a seat, ``pending`` those of them whose match is undecided.

    An entrant without a seat or a bye was absent, which FIDE calls a zero-point bye.
    """

    number: int
    seated: frozenset[int]
    pending: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class UnplayedRounds:
    """The rounds drawn so far, in order, and the number of announced rounds."""

    rounds: tuple[Drawn, ...]
    announced: int


class Was(StrEnum):
    """What happened to an entrant in a round."""

    PLAYED = "played"
    FORFEIT_WON = "forfeit_won"
    FORFEIT_LOST = "forfeit_lost"
    BYE = "bye"
    REQUESTED_BYE = "requested_bye"
    ABSENT = "absent"
    NO_RESULT = "no_result"


VOLUNTARY: Final = frozenset({Was.FORFEIT_LOST, Was.REQUESTED_BYE, Was.ABSENT})  # 16.1.2


@dataclass(frozen=True, slots=True)
class Contribution:
    """The contribution of a round to an entrant's tie-breaks.

    ``strength`` is the number of points of the opponent. For an unplayed round, it is that of a dummy opponent (16.4).
    ``points`` is the number of points that the entrant gained in the round.
    """

    round: int
    was: Was
    strength: Fraction
    points: Fraction

    @property
    def voluntary(self) -> bool:
        """Whether the entrant missed the round by its own choice or fault. Such a round is cut first (16.5)."""
        return self.was in VOLUNTARY


def unplayed_contributions(
    tally: ScoreRecord, counted: Callable[[int], Fraction], course: UnplayedRounds
) -> list[Contribution]:
    """Return the contribution of each round to the tie-breaks of the entrant of ``tally``.

    Undecided rounds are left out. ``counted`` returns the adjusted points of an opponent, see
    ``unplayed_adjusted_points``.
    """
    meetings, byes = _by_round(tally)
    given: list[Contribution] = []
    dummy = min(tally.exact, DRAW * course.announced)
    for drawn in course.rounds:
        meeting, bye = meetings.get(drawn.number), byes.get(drawn.number)
        if meeting is not None:
            was, strength = _meeting_kind(meeting), counted(meeting.opponent)
            strength = strength if was is Was.PLAYED else min(tally.exact, strength)
            given.append(Contribution(drawn.number, was, strength, standings_exact_points(meeting.points)))
        elif bye is not None:
            was = Was.REQUESTED_BYE if bye.requested else Was.BYE
            given.append(Contribution(drawn.number, was, dummy, standings_exact_points(bye.points)))
        elif tally.entrant not in drawn.pending:
            was = Was.NO_RESULT if tally.entrant in drawn.seated else Was.ABSENT
            given.append(Contribution(drawn.number, was, dummy, standings_exact_points(0)))
    return given


def unplayed_adjusted_points(tally: ScoreRecord, course: UnplayedRounds) -> Fraction:
    """Return an entrant's points as they count for the tie-breaks of its opponents (16.3).

    A round in which the entrant was absent, or had a bye at its own request, counts as a draw if the entrant was
    present in no later round. A round that it forfeited does not count as present.
    """
    meetings, byes = _by_round(tally)
    points, there_later = tally.exact, False
    for drawn in reversed(course.rounds):
        meeting, bye = meetings.get(drawn.number), byes.get(drawn.number)
        if meeting is not None:
            there_later |= _meeting_kind(meeting) is not Was.FORFEIT_LOST
        elif tally.entrant in drawn.pending or (bye is not None and not bye.requested):
            there_later = True
        elif tally.entrant in drawn.seated:  # its match has no result
            points, there_later = points + DRAW, True
        elif not there_later:
            points += DRAW - (Fraction(bye.points) if bye else 0)
    return points


def unplayed_direct_encounter(group: Mapping[int, ScoreRecord]) -> dict[int, int]:
    """Compare the entrants of a tied ``group`` by the games among them (article 6 of C.07).

    Return for each entrant how many of the others it is ahead of. Forfeited matches do not count. If two entrants met
    several times, the mean counts.

    If all entrants have met, their points decide. Those that are still tied are compared again by the games among them
    alone. If not all have met, an entrant comes first if no other could reach its points by winning all missing games.
    The rest is then compared in the same way.
    """
    ahead = dict.fromkeys(group, 0)
    _order(list(group), group, ahead)
    return ahead


def _order(tied: list[int], group: Mapping[int, ScoreRecord], ahead: dict[int, int]) -> None:
    """Add to ``ahead`` how many of the ``tied`` entrants each of them is ahead of."""
    least, most = _within(tied, group)
    parts: list[list[int]]
    if least == most:
        parts = [[one for one in tied if least[one] == points] for points in sorted(set(least.values()), reverse=True)]
    else:
        parts, rest = [], list(tied)
        while len(rest) > 1:
            best = max(rest, key=lambda one: least[one])
            if any(most[other] >= least[best] for other in rest if other != best):
                break
            parts.append([best])
            rest.remove(best)
        parts.append(rest)
    if len(parts) == 1:
        return
    for number, part in enumerate(parts):
        below = len(list(chain.from_iterable(parts[number + 1 :])))
        for one in part:
            ahead[one] += below
        if len(part) > 1:
            _order(part, group, ahead)


def _within(tied: list[int], group: Mapping[int, ScoreRecord]) -> tuple[dict[int, Fraction], dict[int, Fraction]]:
    """Return two values for each of the ``tied`` entrants: its points in the games among them, and its greatest score.

    The greatest score is the points that the entrant would have if it won all missing games.
    """
    least: dict[int, Fraction] = {}
    most: dict[int, Fraction] = {}
    among = frozenset(tied)
    for one in tied:
        made: dict[int, list[Fraction]] = {}
        for meeting in group[one].meetings:
            if meeting.opponent in among and not meeting.forfeited:
                made.setdefault(meeting.opponent, []).append(standings_exact_points(meeting.points))
        least[one] = sum((_mean(games) for games in made.values()), standings_exact_points(0))
        most[one] = least[one] + len(tied) - 1 - len(made)
    return least, most


def _mean(games: list[Fraction]) -> Fraction:
    return games[0] if len(games) == 1 else sum(games, standings_exact_points(0)) / len(games)


def _by_round(tally: ScoreRecord) -> tuple[dict[int, ScoredMeeting], dict[int, ScoredBye]]:
    return dict(zip(tally.rounds, tally.meetings, strict=True)), {bye.round: bye for bye in tally.byes}


def _meeting_kind(meeting: ScoredMeeting) -> Was:
    if not meeting.forfeited:
        return Was.PLAYED
    return Was.FORFEIT_WON if meeting.points == 1 else Was.FORFEIT_LOST
