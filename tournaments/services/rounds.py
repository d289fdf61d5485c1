"""Rounds become matches and fixtures: those of a round robin all at the start, those of a Swiss one after the other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction

from bots.models import BotVersion, VersionState
from games.dealer import block_seed
from matches.models import MatchState
from matches.services import Pairing, matches_create
from tournaments.formats import Draw, EntrantsError, Schedule, swiss_round
from tournaments.models import Bye, Entry, Fixture, Tournament, TournamentState
from tournaments.selectors.history import contenders_of
from tournaments.services.moves import announce_later

FINISHED_TASK: Final = "tournaments.match_finished"
UNDECIDED: Final = (MatchState.HELD, MatchState.QUEUED, MatchState.RUNNING)


@dataclass(frozen=True, slots=True)
class _Place:
    round: int
    table: int
    seating: Sequence[int]
    reasons: dict[str, Any] | None = None


def match_secret(tournament: Tournament, round_number: int, table: int) -> bytes:
    """The secret of a table's match: whoever knows the tournament's can derive it, and with it every seed."""
    return block_seed(bytes(tournament.secret), "match", round_number, table)


def schedule_create(tournament: Tournament, versions: Mapping[int, BotVersion], schedule: Schedule) -> None:
    """Every match of a round robin; ``versions`` by entry."""
    places = [
        _Place(round_number, table, seating)
        for round_number, tables in enumerate(schedule.rounds, start=1)
        for table, seating in enumerate(tables, start=1)
    ]
    _fixtures_create(tournament, versions, places)


def round_draw(*, tournament_id: int) -> bool:
    """Draw the next round of a running Swiss whose rounds so far are decided; False, and no change, for any other.

    Of several callers one draws it: how many rounds have been drawn is part of the condition. If too many bots were
    withdrawn to fill a table, the tournament has no more rounds.
    """
    undecided = Fixture.objects.filter(tournament=tournament_id, match__state__in=UNDECIDED)
    with transaction.atomic():
        drawn = Tournament.objects.values_list("drawn", flat=True).get(pk=tournament_id)
        moved = (
            Tournament.objects.filter(pk=tournament_id, state=TournamentState.RUNNING, drawn=drawn, rounds__gt=drawn)
            .exclude(pk__in=undecided.values("tournament"))
            .update(drawn=drawn + 1)
        )
        if not moved:
            return False
        tournament = Tournament.objects.get(pk=tournament_id)
        try:
            _round_create(tournament)
        except EntrantsError:
            if drawn == 0:
                raise
            Tournament.objects.filter(pk=tournament_id).update(drawn=drawn, rounds=drawn)
            return False
        announce_later(tournament_id)
    return True


def _round_create(tournament: Tournament) -> None:
    entries = Entry.objects.filter(tournament=tournament, version__isnull=False).select_related("version")
    entries = entries.defer("version__package", "version__report")
    versions = {entry.pk: entry.version for entry in entries if entry.version is not None}
    present = {
        entry.pk for entry in entries if not entry.withdrawn and versions[entry.pk].state == VersionState.ACCEPTED
    }
    entrants = {version.pk: entry for entry, version in versions.items()}
    draw = swiss_round(
        contenders_of(tournament, entrants, present),
        tournament.players_per_table,
        tournament.smallest_table,
        bytes(tournament.secret),
        tournament.drawn,
    )
    _draw_keep(tournament, versions, draw)


def _draw_keep(tournament: Tournament, versions: Mapping[int, BotVersion], draw: Draw) -> None:
    places = [
        _Place(tournament.drawn, number, table.seating, table.write())
        for number, table in enumerate(draw.tables, start=1)
    ]
    _fixtures_create(tournament, versions, places)
    Bye.objects.bulk_create(
        Bye(
            tournament=tournament,
            round=tournament.drawn,
            entry_id=bye.entrant,
            points=tournament.bye_points,
            reasons=bye.write(),
        )
        for bye in draw.byes
    )


def _fixtures_create(tournament: Tournament, versions: Mapping[int, BotVersion], places: Sequence[_Place]) -> None:
    matches = matches_create(
        ruleset=tournament.ruleset,
        options=tournament.options,
        pairings=[
            Pairing([versions[entry] for entry in place.seating], match_secret(tournament, place.round, place.table))
            for place in places
        ],
        blocks=tournament.blocks,
        limits=tournament.limits,
        pace_ms=tournament.pace_ms,
        finished_task=FINISHED_TASK,
    )
    Fixture.objects.bulk_create(
        Fixture(tournament=tournament, round=place.round, table=place.table, match=match, reasons=place.reasons)
        for place, match in zip(places, matches, strict=True)
    )
