"""The position from which the next round of a stage is drawn, and the redraw of waiting rounds after changes."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from bots.models import VersionState
from matches.models import Seat as MatchSeat
from tournaments.formats import RankedEntrant
from tournaments.formats.draw_position import DrawPosition, draw_position_next_rounds
from tournaments.formats.knockout import Bracket, Heats
from tournaments.match_secrets import tournament_match_secret_luck
from tournaments.models import PLAYING, Round, Stage, Tournament
from tournaments.selectors.entering.entry_versions import entry_by_version
from tournaments.selectors.rounds.forbidden_pairs import forbidden_groups_of
from tournaments.selectors.rounds.stages import (
    stage_bracket_for,
    stage_contenders_of,
    stage_rounds_played_of,
    stage_seeding_of,
)
from tournaments.standings import Corrections
from tournaments.trf import RoundPlayed


@dataclass(frozen=True)
class StageRows:
    """The facts of a stage after ``drawn`` rounds, read from the database.

    With ``before``, only rounds with lower numbers count. ``held`` has the corrections to use; by default, these are
    the corrections of the rulings that were made.
    """

    stage: Stage
    present: Sequence[int]
    drawn: int
    next_round: int
    luck: bytes
    before: float = inf
    held: Corrections | None = None

    @property
    def first_luck(self) -> bytes:
        return tournament_match_secret_luck(self.stage.tournament)

    @property
    def apart(self) -> Sequence[frozenset[int]]:
        return [frozenset(pair) for pair in self.stage.tournament.forbidden_pairs.values_list("one", "other")]

    @property
    def kin(self) -> Sequence[frozenset[int]]:
        return forbidden_groups_of(self.stage.tournament)

    def seeding(self) -> Sequence[int]:
        return stage_seeding_of(self.stage)

    def contenders(self) -> Sequence[RankedEntrant]:
        return stage_contenders_of(self.stage, self.present, self.before, self.held)

    def rounds_played(self) -> Sequence[RoundPlayed]:
        return stage_rounds_played_of(self.stage, self.before, self.held)

    def bracket(self) -> Bracket | Heats:
        return stage_bracket_for(self.stage, self.present, self.held)


def stage_draw_position_of(stage: Stage, present: Sequence[int]) -> DrawPosition:
    """Return the position for the next draw of a stage. All its rounds so far must be decided.

    ``present`` are the entries that play on. In the second and later stages, the best seed must come first.
    """
    tournament = stage.tournament
    known = StageRows(stage, present, stage.drawn, tournament.next_round, tournament.luck.value)
    return stage.kind.position(stage.terms, known)


def stage_draw_position_before(played: Round, field: Collection[int], held: Corrections) -> DrawPosition:
    """Return the position before ``played``, the last drawn round of its stage, for the entries in ``field``."""
    stage, luck = played.stage, tournament_match_secret_luck(played.tournament, played.luck)
    known = StageRows(stage, list(field), stage.drawn - 1, played.number, luck, played.number, held)
    return stage.kind.position(stage.terms, known)


@dataclass(frozen=True, slots=True)
class RoundArrangement:
    """The tables and the byes of a round.

    A table has its entries in seat order, and its reasons. A bye has its entry, the points for it, and its reasons.
    """

    tables: tuple[tuple[tuple[int, ...], dict[str, Any] | None], ...] = ()
    byes: tuple[tuple[int, int, dict[str, Any]], ...] = ()

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "RoundArrangement":
        """Read what ``write`` has returned."""
        tables = tuple((tuple(seating), reasons) for seating, reasons in data["tables"])
        return cls(tables, tuple((entry, points, reasons) for entry, points, reasons in data["byes"]))

    def write(self) -> dict[str, Any]:
        """Return a value for JSON."""
        tables = [[list(seating), reasons] for seating, reasons in self.tables]
        return {"tables": tables, "byes": [list(bye) for bye in self.byes]}

    @property
    def field(self) -> frozenset[int]:
        """The entries with a seat or a bye."""
        return frozenset(one for seating, _ in self.tables for one in seating) | {entry for entry, _, _ in self.byes}


@dataclass(frozen=True, slots=True)
class Redraw:
    """A waiting round with its current and its new arrangement."""

    played: Round
    before: RoundArrangement
    after: RoundArrangement


def waiting_round_of(tournament: Tournament) -> Round | None:
    """Return the last round of the current stage that has not begun; None if there is none.

    Also return None if the rounds of the stage are not drawn by standings.
    """
    stage = tournament.stage
    if tournament.state not in PLAYING or not stage.kind.draws_by_standings:
        return None
    waiting: Round | None = stage.played.filter(started_at__isnull=True).order_by("number").last()
    return waiting


def waiting_round_redraw(
    tournament: Tournament, present: Collection[int], held: Corrections, returned: Collection[int] = ()
) -> Redraw | None:
    """Return how the waiting round would be drawn again; None if no round waits, or if its entries have not changed.

    An entry that comes while the round waits does not play in it, but from the next round on. Only entries that a
    ruling has ``returned`` play in the waiting round. ``held`` are the corrections to apply.
    """
    played = waiting_round_of(tournament)
    if played is None:
        return None
    before = waiting_round_drawn(played)
    kept = [RoundArrangement.read(one) for one in played.arrangements]
    known = before.field.union(*(one.field for one in kept)) | frozenset(returned)
    field = known & frozenset(_fit(tournament, present))
    if field == before.field:
        return None
    arranged = next((one for one in reversed(kept) if one.field == field), None)
    return Redraw(played, before, arranged or _drawn(played, field, held))


def waiting_round_drawn(played: Round) -> RoundArrangement:
    """Return the current arrangement of a round."""
    entries = entry_by_version(played.tournament)
    fixtures = list(played.fixtures.order_by("table"))
    seats: dict[int, list[int]] = {fixture.match_id: [] for fixture in fixtures}
    rows = MatchSeat.objects.filter(match__in=seats).order_by("index")
    for match, version in rows.values_list("match_id", "version_id"):
        seats[match].append(entries[version])
    byes = played.byes.order_by("entry").values_list("entry_id", "points", "reasons")
    return RoundArrangement(tuple((tuple(seats[one.match_id]), one.reasons) for one in fixtures), tuple(byes))


def _fit(tournament: Tournament, present: Collection[int]) -> list[int]:
    entries = tournament.entries.filter(pk__in=present, version__state=VersionState.ACCEPTED)
    return list(entries.values_list("pk", flat=True))


def _drawn(played: Round, field: frozenset[int], held: Corrections) -> RoundArrangement:
    """Return the round as drawn for the entries in ``field``. It is empty if they are too few for a table."""
    rounds = draw_position_next_rounds(stage_draw_position_before(played, field, held))
    if not rounds:
        return RoundArrangement()
    (drawn,) = rounds
    byes = tuple((bye.entry, played.stage.bye_points, bye.reasons) for bye in drawn.byes)
    return RoundArrangement(tuple((tuple(table.seating), table.reasons) for table in drawn.tables), byes)
