"""The table of standings, computed from finished matches alone: computed again at any time it comes out the same."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from tournaments.standings.results import Result, ScoredBye, ScoreRecord, tallied
from tournaments.standings.tie_breaks import LOT, SHARED, TIE_BREAKS, TieBreakField, Value
from tournaments.standings.unplayed import UnplayedRounds

POINTS: Final = "points"
DISQUALIFIED: Final = "disqualified"


class Row(NamedTuple):
    """An entrant's place and everything that led to it; a tuple, for caches keep thousands of them.

    ``values`` holds, by tie-break, what was compared; a criterion that was never needed, or did not apply, has none.
    ``tied_with`` says, for the same criteria, who was still tied when it was applied (this entrant included).
    ``above_next_by`` names what put this row above the next: "points", a tie-break's code, "disqualified" where the
    next one is, or "" for the last row.
    """

    rank: int
    entrant: int
    points: float
    played: int
    byes: int
    won: int  # opponents beaten, over all matches
    drawn: int
    lost: int
    game_points: int
    games: int
    forfeited: int
    values: Mapping[str, Value]
    tied_with: Mapping[str, tuple[int, ...]]
    above_next_by: str
    disqualified: bool = False


class TieBreakError(ValueError):
    """A tie-break that does not exist."""

    def __init__(self, code: str) -> None:
        self.code = code
        super().__init__(f"no tie-break is called {code!r:.60}; there are: {', '.join(TIE_BREAKS)}")


def standings(
    entrants: Sequence[int],
    results: Iterable[Result],
    tie_breaks: Sequence[str],
    secret: bytes,
    byes: Iterable[ScoredBye] = (),
    disqualified: Collection[int] = (),
    course: UnplayedRounds | None = None,
    play_off: Mapping[int, int] | None = None,
) -> tuple[Row, ...]:
    """Return all entrants in order: points, then each tie-break in turn among those still tied, at last the lot.

    Whoever is ``disqualified`` stands below all others with nothing to its name; as an opponent it still is what it
    was, unless its results are annulled. No rank is shared, unless ``SHARED`` is among the ``tie_breaks``: then by
    those whom nothing before it has told apart. The order of ``entrants`` and of ``results`` does not matter.
    ``course``: of a Swiss for two, for FIDE's tie-breaks; results and byes must say their rounds then. ``play_off``:
    the places of those who met in one, see ``standings.play_off``.

    Raises:
        TieBreakError: an unknown code in ``tie_breaks``.
    """
    for code in tie_breaks:
        if code not in TIE_BREAKS:
            raise TieBreakError(code)
    tallies = tallied(sorted(entrants), results, byes)
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
    """Refines groups of tied entrants, one criterion after the other, and remembers what was compared."""

    def __init__(self, field: TieBreakField) -> None:
        self.field = field
        self.placed: list[ScoreRecord] = []
        self.values: dict[int, dict[str, Value]] = {entrant: {} for entrant in field.tallies}
        self.tied_with: dict[int, dict[str, tuple[int, ...]]] = {entrant: {} for entrant in field.tallies}
        self.above_next_by: dict[int, str] = {}

    def place(self, group: list[ScoreRecord], codes: Sequence[str]) -> None:
        self._split(group, POINTS, lambda tally: -tally.points, codes)

    def share(self) -> None:
        """Let the lot put nobody above another who stands so far."""
        self.above_next_by = {one: SHARED if code == LOT else code for one, code in self.above_next_by.items()}

    def ranks(self) -> Iterator[int]:
        """Yield the rank of everyone, in order."""
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
