"""The arithmetic of series: the points of an event, and the table over all events. This module makes no queries."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Final

NOTHING: Final = Fraction(0)
WHOLE: Final = 100  # points for beating all opponents


@dataclass(frozen=True, slots=True)
class Finisher:
    """A bot in the final ranking of an event.

    ``entrant`` is the key of the entrant for whom it counts. ``share`` is the share of opponents that it beat in its
    matches, from 0 to 1; a draw counts half. Disqualified bots get no points and no place.
    """

    entrant: str
    bot: int
    rank: int
    share: Fraction = NOTHING
    disqualified: bool = False


@dataclass(frozen=True, slots=True)
class EventScore:
    """The points of an entrant in an event. They are those of the best of its bots."""

    bot: int
    rank: int
    points: Fraction
    disqualified: bool = False


@dataclass(frozen=True, slots=True)
class SeriesCell:
    """The result of an entrant in an event. ``counts`` tells whether its points are in the total."""

    score: EventScore
    counts: bool

    @property
    def points(self) -> float:
        return float(self.score.points)


@dataclass(frozen=True, slots=True)
class SeriesRow:
    """The row of an entrant. ``cells`` has a cell for each event, in order; None if the entrant did not take part."""

    rank: int
    entrant: str
    total: Fraction
    cells: tuple[SeriesCell | None, ...]


def series_event_scores_by_place(finishers: Sequence[Finisher], place_points: Sequence[int]) -> dict[str, EventScore]:
    """Return the points of each entrant in an event, by the places of its bots.

    ``place_points`` has the points for the first places, in order. Bots that share a rank share the points of their
    places equally.

    >>> finishers = [Finisher("a", 1, 1), Finisher("b", 2, 1), Finisher("c", 3, 3)]
    >>> scores = series_event_scores_by_place(finishers, [10, 6, 3])
    >>> [int(scores[one].points) for one in "abc"]
    [8, 8, 3]
    """
    sharing = Counter(one.rank for one in finishers if not one.disqualified)
    worth = {rank: Fraction(sum(place_points[rank - 1 : rank - 1 + many]), many) for rank, many in sharing.items()}
    return _best_of_each(finishers, {one.bot: worth.get(one.rank, NOTHING) for one in finishers})


def series_event_scores_by_share(finishers: Sequence[Finisher]) -> dict[str, EventScore]:
    """Return the points of each entrant in an event: 100 times the share of opponents beaten."""
    return _best_of_each(finishers, {one.bot: WHOLE * one.share for one in finishers})


def _best_of_each(finishers: Sequence[Finisher], worth: Mapping[int, Fraction]) -> dict[str, EventScore]:
    found: dict[str, EventScore] = {}
    for one in finishers:
        points = NOTHING if one.disqualified else worth[one.bot]
        score = EventScore(one.bot, one.rank, points, one.disqualified)
        known = found.get(one.entrant)
        if known is None or (score.disqualified, -score.points, score.rank) < (
            known.disqualified,
            -known.points,
            known.rank,
        ):
            found[one.entrant] = score
    return found


def series_standings(events: Sequence[Mapping[str, EventScore]], best: int = 0) -> tuple[SeriesRow, ...]:
    """Return the table over ``events``. For each entrant, the ``best`` events count; 0 means all.

    If totals are equal, the points in each entrant's best event are compared, then those in the second best, and so on.
    Events that do not count are compared too. Entrants who are still equal share the place.
    """
    played = defaultdict[str, dict[int, EventScore]](dict)
    for number, event in enumerate(events):
        for entrant, score in event.items():
            played[entrant][number] = score
    made = []
    for entrant, scores in played.items():
        order = sorted(scores, key=lambda number: (-scores[number].points, number))
        counting = set(order[:best] if best else order)
        points = tuple(scores[number].points for number in order)
        total = sum((scores[number].points for number in counting), NOTHING)
        cells = tuple(
            SeriesCell(scores[number], number in counting) if number in scores else None
            for number in range(len(events))
        )
        # An event in which the entrant did not take part is equal to one with 0 points, so zeros are left out.
        made.append((total, tuple(one for one in points if one), entrant, cells))
    made.sort(key=lambda row: row[2])
    made.sort(key=lambda row: row[:2], reverse=True)
    rows: list[SeriesRow] = []
    for _key, level in groupby(made, key=lambda row: row[:2]):
        rank = len(rows) + 1
        rows += [SeriesRow(rank, entrant, total, cells) for total, _points, entrant, cells in level]
    return tuple(rows)
