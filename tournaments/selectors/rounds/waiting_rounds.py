"""A round of a Swiss that is drawn and waits, drawn again because somebody has left or come back.

What it is drawn from names no number of tries: the results before it, the luck of the round, and who is there. So of
the same field the same round is drawn however often it changed in between, and nobody gains by taking bots out and
back. If exactly these bots were arranged before, by the draw or by the organiser, that arrangement holds.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from bots.models import VersionState
from matches.models import Seat as MatchSeat
from tournaments.formats.position import next_rounds
from tournaments.models import PLAYING, Round, Tournament
from tournaments.selectors.entering.versions import entry_by_version
from tournaments.selectors.rounds.stage_facts import position_before
from tournaments.standings import Corrections


@dataclass(frozen=True, slots=True)
class WaitingSeat:
    """The tables of a round, entries in seat order with the reasons, and its byes: entry, points and reasons."""

    tables: tuple[tuple[tuple[int, ...], dict[str, Any] | None], ...] = ()
    byes: tuple[tuple[int, int, dict[str, Any]], ...] = ()

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "WaitingSeat":
        """Return the tables of which ``write`` gave ``data``."""
        tables = tuple((tuple(seating), reasons) for seating, reasons in data["tables"])
        return cls(tables, tuple((entry, points, reasons) for entry, points, reasons in data["byes"]))

    def write(self) -> dict[str, Any]:
        """Return it as JSON."""
        tables = [[list(seating), reasons] for seating, reasons in self.tables]
        return {"tables": tables, "byes": [list(bye) for bye in self.byes]}

    @property
    def field(self) -> frozenset[int]:
        """Everyone with a seat or a bye."""
        return frozenset(one for seating, _ in self.tables for one in seating) | {entry for entry, _, _ in self.byes}


@dataclass(frozen=True, slots=True)
class Redraw:
    """The round as it stands, and as it would."""

    played: Round
    before: WaitingSeat
    after: WaitingSeat


def waiting_round(tournament: Tournament) -> Round | None:
    """Return the round that is drawn from standings and has not begun."""
    stage = tournament.stage
    if tournament.state not in PLAYING or not stage.kind.draws_by_standings:
        return None
    waiting: Round | None = stage.played.filter(started_at__isnull=True).order_by("number").last()
    return waiting


def redraw_of(
    tournament: Tournament, present: Collection[int], held: Corrections, returned: Collection[int] = ()
) -> Redraw | None:
    """Return how the waiting round would be drawn again; None if none waits, or if those ``present`` are those in it.
    An entrant who comes while it waits is in with the next round, unless a ruling has ``returned`` it. ``held``: as if
    the rulings were these.
    """
    played = waiting_round(tournament)
    if played is None:
        return None
    before = seated_in(played)
    kept = [WaitingSeat.read(one) for one in played.arrangements]
    known = before.field.union(*(one.field for one in kept)) | frozenset(returned)
    field = known & frozenset(_fit(tournament, present))
    if field == before.field:
        return None
    arranged = next((one for one in reversed(kept) if one.field == field), None)
    return Redraw(played, before, arranged or _drawn(played, field, held))


def seated_in(played: Round) -> WaitingSeat:
    """Return a round as it stands."""
    entries = entry_by_version(played.tournament)
    fixtures = list(played.fixtures.order_by("table"))
    seats: dict[int, list[int]] = {fixture.match_id: [] for fixture in fixtures}
    rows = MatchSeat.objects.filter(match__in=seats).order_by("index")
    for match, version in rows.values_list("match_id", "version_id"):
        seats[match].append(entries[version])
    byes = played.byes.order_by("entry").values_list("entry_id", "points", "reasons")
    return WaitingSeat(tuple((tuple(seats[one.match_id]), one.reasons) for one in fixtures), tuple(byes))


def _fit(tournament: Tournament, present: Collection[int]) -> list[int]:
    entries = tournament.entries.filter(pk__in=present, version__state=VersionState.ACCEPTED)
    return list(entries.values_list("pk", flat=True))


def _drawn(played: Round, field: frozenset[int], held: Corrections) -> WaitingSeat:
    """Return the round as drawn for those in the ``field``; nobody sits in it if too few are left for a table."""
    rounds = next_rounds(position_before(played, field, held))
    if not rounds:
        return WaitingSeat()
    (drawn,) = rounds
    byes = tuple((bye.entry, played.stage.bye_points, bye.reasons) for bye in drawn.byes)
    return WaitingSeat(tuple((tuple(table.seating), table.reasons) for table in drawn.tables), byes)
