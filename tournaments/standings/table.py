"""The table of standings. It is computed from results alone, so the same results always give the same table.

A play-off decides between entrants that are tied for first place. The final ranking combines the standings of all
stages.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, NamedTuple

from tournaments.standings.results import Result, ScoredBye, ScoreRecord, standings_tallied
from tournaments.standings.tie_breaks import LOT, PLAY_OFF, SHARED, TIE_BREAKS, TieBreakField, Value
from tournaments.standings.unplayed import UnplayedRounds

POINTS: Final = "points"
DISQUALIFIED: Final = "disqualified"


class Row(NamedTuple):
    """The rank of an entrant, and the data from which the rank is computed.

    ``values`` has the compared value of each tie-break. Tie-breaks that were not needed or did not apply are left out.
    For each tie-break that was tried, ``tied_with`` has the entrants that were still tied before it, including this
    entrant.

    ``above_next_by`` is the criterion that ranks this row above the next one: "points", the code of a tie-break, or
    "disqualified" if the next entrant is disqualified. For the last row it is "".

    Caches hold thousands of rows, so this is a tuple, which takes less memory.
    """

    rank: int
    entrant: int
    points: float
    played: int
    byes: int
    won: int  # opponents beaten in all matches together
    drawn: int
    lost: int
    game_points: int
    games: int
    forfeited: int
    values: Mapping[str, Value]
    tied_with: Mapping[str, tuple[int, ...]]
    above_next_by: str
    disqualified: bool = False


def has_standings_result(rows: Iterable[Row]) -> bool:
    """Return whether an entrant has played or has points. Before that, ranks have no meaning."""
    return any(row.played or row.points for row in rows)


class TieBreakError(ValueError):
    """The tie-break does not exist."""

    def __init__(self, code: str) -> None:
        self.code = code
        super().__init__(f"no tie-break is called {code!r:.60}; there are: {', '.join(TIE_BREAKS)}")


def standings_table(
    entrants: Sequence[int],
    results: Iterable[Result],
    tie_breaks: Sequence[str],
    secret: bytes,
    byes: Iterable[ScoredBye] = (),
    disqualified: Collection[int] = (),
    course: UnplayedRounds | None = None,
    play_off: Mapping[int, int] | None = None,
) -> tuple[Row, ...]:
    """Return the rows of all entrants, the best first.

    Entrants are ordered by points. Each tie-break is applied to the entrants that are still tied, and at last a lot
    decides. A ``disqualified`` entrant comes after all others and has no points. For its opponents, its results still
    count, unless they are annulled. If ``SHARED`` is among the ``tie_breaks``, entrants that no earlier tie-break
    separates share a rank. The order of ``entrants`` and of ``results`` does not matter.

    For a Swiss with tables of two, ``course`` has the rounds, which FIDE's tie-breaks need; each result and bye must
    then have its round. ``play_off`` has the places in a play-off, see ``standings_play_off_places``.

    Raises:
        TieBreakError: a code in ``tie_breaks`` is unknown.
    """
    for code in tie_breaks:
        if code not in TIE_BREAKS:
            raise TieBreakError(code)
    tallies = standings_tallied(sorted(entrants), results, byes)
    ordering = _Ordering(TieBreakField(tallies, secret, course, play_off or {}))
    before = tie_breaks[: tie_breaks.index(SHARED) + 1] if SHARED in tie_breaks else tie_breaks
    codes = (*(code for code in before if code != LOT), LOT)
    ordering.place([tally for tally in tallies.values() if tally.entrant not in disqualified], codes)
    if SHARED in codes:
        ordering.share()
    if out := [ScoreRecord(entrant) for entrant in tallies if entrant in disqualified]:
        if ordering.placed:
            ordering.above_next_by[ordering.placed[-1].entrant] = DISQUALIFIED
        ordering.place(out, [LOT])
    return tuple(
        ordering.row(rank, tally)._replace(disqualified=tally.entrant in disqualified)
        for rank, tally in zip(ordering.ranks(), ordering.placed, strict=True)
    )


class _Ordering:
    """Splits groups of tied entrants by one criterion after the other, and records the compared values."""

    def __init__(self, field: TieBreakField) -> None:
        self.field = field
        self.placed: list[ScoreRecord] = []
        self.values: dict[int, dict[str, Value]] = {entrant: {} for entrant in field.tallies}
        self.tied_with: dict[int, dict[str, tuple[int, ...]]] = {entrant: {} for entrant in field.tallies}
        self.above_next_by: dict[int, str] = {}

    def place(self, group: list[ScoreRecord], codes: Sequence[str]) -> None:
        self._split(group, POINTS, lambda tally: -tally.points, codes)

    def share(self) -> None:
        """Let the entrants placed so far share a rank if only the lot separates them."""
        self.above_next_by = {one: SHARED if code == LOT else code for one, code in self.above_next_by.items()}

    def ranks(self) -> Iterator[int]:
        """Yield the ranks in the order of the placed entrants."""
        rank = 1
        for place, tally in enumerate(self.placed, start=1):
            yield rank
            if self.above_next_by.get(tally.entrant) != SHARED:
                rank = place + 1

    def row(self, rank: int, tally: ScoreRecord) -> Row:
        return Row(
            rank=rank,
            entrant=tally.entrant,
            points=tally.points,
            played=tally.played,
            byes=len(tally.byes),
            won=tally.count(1),
            drawn=tally.count(0.5),
            lost=tally.count(0),
            game_points=tally.game_points,
            games=tally.games,
            forfeited=tally.forfeited,
            values=self.values[tally.entrant],
            tied_with=self.tied_with[tally.entrant],
            above_next_by=self.above_next_by.get(tally.entrant, ""),
        )

    def _break(self, group: list[ScoreRecord], codes: Sequence[str]) -> None:
        if len(group) == 1 or not codes:
            self.placed += group
            return
        tie_break = TIE_BREAKS[codes[0]]
        worth = tie_break.worth(group, self.field)
        tied = tuple(tally.entrant for tally in group)
        for tally in group:
            self.tied_with[tally.entrant][tie_break.code] = tied
        if worth is None:
            self._break(group, codes[1:])
            return
        for tally in group:
            self.values[tally.entrant][tie_break.code] = worth[tally.entrant]
        distinct = sorted(set(worth.values()), reverse=not tie_break.lowest_first)
        order = {value: place for place, value in enumerate(distinct)}
        self._split(group, tie_break.code, lambda tally: order[worth[tally.entrant]], codes[1:])

    def _split(
        self, group: list[ScoreRecord], code: str, key: Callable[[ScoreRecord], float], codes: Sequence[str]
    ) -> None:
        parts = [list(part) for _, part in groupby(sorted(group, key=key), key=key)]
        for number, part in enumerate(parts):
            self._break(part, codes)
            if number + 1 < len(parts):
                self.above_next_by[self.placed[-1].entrant] = code


LEVEL_MOST: Final = 8  # bots in a play-off; if more are tied, the lot decides, to limit the workers' time


def standings_level_for_first(rows: Sequence[Row]) -> list[int]:
    """Return the entrants that are tied for first place before the play-off, in the order of their numbers.

    The list is empty if one entrant is ahead of all others, or if more than ``LEVEL_MOST`` are tied.
    """
    level = sorted(rows[0].tied_with.get(PLAY_OFF, ())) if rows else []
    return level if len(level) <= LEVEL_MOST else []


def standings_play_off_places(rows: Sequence[Row], tie_breaks: Sequence[str]) -> Mapping[int, int]:
    """Return the places, from 1, in the standings ``rows`` of a play-off.

    The play-off is itself a tie-break of the stage before. Tie-breaks that come after it, such as the lot, are applied
    to the matches of that stage. So entrants that only such a tie-break separates share a place here.
    """
    apart = {POINTS, DISQUALIFIED, *tie_breaks[: tie_breaks.index(PLAY_OFF) + 1]}
    places: dict[int, int] = {}
    place = 1
    for at, row in enumerate(rows, start=1):
        places[row.entrant] = place
        if row.above_next_by in apart:
            place = at + 1
    return places


@dataclass(frozen=True, slots=True)
class Placed:
    """The final place of an entrant.

    ``stage`` is the number, from 1, of the last stage in which it played. ``row`` is its row in the standings of this
    stage. Entrants that went out of a knockout in the same round share a ``rank``.
    """

    rank: int
    stage: int
    row: Row

    @property
    def entrant(self) -> int:
        return self.row.entrant

    @property
    def by_lot(self) -> bool:
        """Whether only the lot separates this entrant from another one."""
        tied = self.row.tied_with
        return LOT in tied and SHARED not in tied and not self.row.disqualified

    @property
    def is_shared(self) -> bool:
        """Whether this entrant shares its rank with entrants from which no tie-break separates it."""
        return SHARED in self.row.tied_with and not self.row.disqualified


def final_ranking(stages: Sequence[Sequence[Row]]) -> tuple[Placed, ...]:
    """Rank all entrants by the last stage in which they played.

    The entrants of the last stage come first. The entrants of the stage before that did not go on come next, and so on.
    Disqualified entrants come after all others. ``stages`` has the standings of the stages that have begun, in order.
    """
    out = {row.entrant for stage in stages for row in stage if row.disqualified}
    ranked: set[int] = set()
    counted: list[Placed] = []
    disqualified: list[Placed] = []
    for number in range(len(stages), 0, -1):
        rows = [row for row in stages[number - 1] if row.entrant not in ranked]
        ranked |= {row.entrant for row in rows}
        sound = [row for row in rows if row.entrant not in out]
        above = len(counted)
        ranks = sorted(row.rank for row in sound)
        counted += [Placed(above + 1 + bisect_left(ranks, row.rank), number, row) for row in sound]
        disqualified += [Placed(0, number, row) for row in rows if row.entrant in out]
    last = len(counted) + 1
    return (*counted, *(Placed(last, one.stage, one.row) for one in disqualified))


class CategoryPlace(NamedTuple):
    """The ``rank`` of an entrant in its ``category``, from 1.

    ``is_shared`` tells whether others in the category have the same rank.
    """

    category: str
    rank: int
    is_shared: bool


def standings_category_places(
    ranks: Iterable[tuple[int, int]], categories: Mapping[int, str]
) -> dict[int, CategoryPlace]:
    """Return the place of each entrant in its category. ``categories`` has the category of each entrant that has one.

    ``ranks`` are the entrants with their overall ranks, the best first. Entrants that share an overall rank also share
    the rank in their category.

    >>> groups = {7: "old", 8: "young", 9: "young", 5: "young"}
    >>> found = standings_category_places([(7, 1), (8, 2), (9, 2), (5, 4)], groups)
    >>> [(entrant, place.rank, place.is_shared) for entrant, place in found.items()]
    [(7, 1, False), (8, 1, True), (9, 1, True), (5, 3, False)]
    """
    met: dict[str, list[tuple[int, int]]] = {}  # by category: the entrants with their overall ranks
    for entrant, rank in ranks:
        if category := categories.get(entrant):
            met.setdefault(category, []).append((entrant, rank))
    places: dict[int, CategoryPlace] = {}
    for category, members in met.items():
        known = [rank for _entrant, rank in members]
        for entrant, rank in members:
            before, through = bisect_left(known, rank), bisect_right(known, rank)
            places[entrant] = CategoryPlace(category, before + 1, through - before > 1)
    return places
