"""The tables of a stage with what was played there, read in one query."""

from collections.abc import Mapping, Sequence
from itertools import groupby, starmap
from operator import attrgetter
from typing import Any, NamedTuple

from django.db.models import Case, F, Q, When

from matches.models import MatchState
from matches.models import Seat as MatchSeat
from tournaments.facts import ByeGiven, SeatFact, TableFact, TableState
from tournaments.models import Bye, Stage, SupersededMatch
from tournaments.standings import Corrections

STATES = {MatchState.FINISHED: TableState.FINISHED, MatchState.CANCELLED: TableState.CANCELLED}


def tables_of(
    stage: Stage,
    entrants: Mapping[int, int],
    *,
    annulled: Sequence[int] = (),
    reasons: bool = False,
    held: Corrections | None = None,
) -> list[TableFact]:
    """Return the tables in force, in the order of their matches; ``entrants`` as by ``results.entrants_of``. Places are
    read where one of the ``annulled`` entries sat, reasons if asked for. ``held``: as if its ``restored`` matches were
    in force too, and its ``released`` ones still to be played.
    """
    places = _places(stage, [version for version, entry in entrants.items() if entry in annulled])
    held = held or Corrections()
    found = _read("fixture", Q(match__fixture__round__stage=stage), entrants, places, reasons, held.released)
    if held.restored:
        gone = Q(match__superseded__stage=stage, match__in=held.restored)
        found += _read("superseded", gone, entrants, places, reasons, held.restored)
    return sorted(found, key=lambda one: one.match)


def displaced_tables_of(stage: Stage, entrants: Mapping[int, int]) -> list[TableFact]:
    """Return those that have lost their place by a ruling and can come back, in the order in which they did."""
    found = {
        one.match: one
        for one in _read("superseded", Q(match__superseded__stage=stage), entrants, {}, True, frozenset())
    }
    rows = SupersededMatch.objects.filter(stage=stage, match__in=found).order_by("pk")
    return [found[match] for match in rows.values_list("match", flat=True)]


class _SeatRow(NamedTuple):
    """A seat with its match, as the query of ``_read`` returns them."""

    match: int
    round: int
    table: int
    attempt: int
    state: str
    blocks: int | None
    version: int
    score: float | None
    points: int | None
    wins: int | None
    faulty_games: int
    has_forfeited: bool
    reasons: Any = None

    def fact(self, entrants: Mapping[int, int], places: Mapping[tuple[int, int], tuple[int, ...]]) -> SeatFact:
        return SeatFact(
            entrants[self.version],
            self.score or 0,
            self.points or 0,
            self.wins or 0,
            self.faulty_games,
            self.has_forfeited,
            places=places.get((self.match, self.version), ()),
        )


def _read(
    where: str,
    which: Q,
    entrants: Mapping[int, int],
    places: Mapping[tuple[int, int], tuple[int, ...]],
    reasons: bool,
    to_play: frozenset[int],
) -> list[TableFact]:
    """Read tables from the rows of "fixture" or "superseded"; called-off matches that are ``to_play`` count as open."""
    at = f"match__{where}__"
    columns = {
        "match": "match_id",
        "round": f"{at}round__number" if where == "fixture" else f"{at}round",
        "table": f"{at}table",
        "attempt": f"{at}attempt",
        "state": "match__state",
        "blocks": "match__blocks_played",
        "version": "version_id",
        **{name: name for name in ("score", "points", "wins", "faulty_games", "has_forfeited")},
    }
    extra = [Case(When(index=0, then=F(f"{at}reasons")))] if reasons else []  # once for each table: they are long
    rows = MatchSeat.objects.filter(which).order_by("match_id", "index").values_list(*columns.values(), *extra)
    tables = []
    for number, group in groupby(starmap(_SeatRow, rows), key=attrgetter("match")):
        seats = list(group)
        first = seats[0]
        tables.append(
            TableFact(
                match=number,
                round=first.round,
                table=first.table,
                attempt=first.attempt,
                state=_state(first.state, number in to_play),
                blocks=first.blocks or 0,
                seats=tuple(seat.fact(entrants, places) for seat in seats),
                reasons=first.reasons,
            )
        )
    return tables


def _state(state: str, to_play: bool) -> TableState:
    known = STATES.get(MatchState(state), TableState.OPEN)
    return TableState.OPEN if to_play and known is TableState.CANCELLED else known


def bye_facts_of(stage: Stage) -> list[ByeGiven]:
    """Return the byes in the order of their rounds."""
    rows = Bye.objects.filter(round__stage=stage).order_by("round__number", "entry")
    return [ByeGiven(*row) for row in rows.values_list("round__number", "entry_id", "points")]


def _places(stage: Stage, annulled: Sequence[int]) -> dict[tuple[int, int], tuple[int, ...]]:
    """Return the places by match and version, game by game, in the matches at which the ``annulled`` versions sat."""
    if not annulled:
        return {}
    seats = MatchSeat.objects.filter(match__fixture__round__stage=stage)
    with_them = seats.filter(match__in=seats.filter(version__in=annulled).values("match"))
    rows = with_them.values_list("match_id", "version_id", "places")
    return {(match, version): tuple(places) for match, version, places in rows}
