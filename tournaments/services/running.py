"""From the start to the end. Fixtures, matches and states change together or not at all."""

from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from bots.models import BotVersion, VersionState
from games.dealer import block_seed
from matches.live import announce
from matches.models import Match, MatchState
from matches.services import Pairing, match_cancel, match_hold, match_release, matches_create
from tournaments.errors import TooFewEntries, TooManyGames
from tournaments.formats import Schedule
from tournaments.models import Entry, Fixture, Tournament, TournamentState
from tournaments.plan import MAX_GAMES, plan_of, schedule_of
from tournaments.services.moves import locked, move

FINISHED_TASK: Final = "tournaments.match_finished"
UNDECIDED: Final = (MatchState.HELD, MatchState.QUEUED, MatchState.RUNNING)


def tournament_start(*, tournament: Tournament) -> Tournament:
    """Freeze each bot's current version, draw the rounds and queue every match, in one transaction.

    Raises:
        WrongState: entries are not open (or another start was first).
        TooFewEntries: not one table is full.
        TooManyGames: more than the workers may be asked for.
    """
    with transaction.atomic():
        move(tournament.pk, [TournamentState.OPEN], TournamentState.RUNNING, started=timezone.now())
        tournament.refresh_from_db()
        versions = _freeze(tournament)
        plan = plan_of(tournament, len(versions))
        if plan is None:
            raise TooFewEntries(len(versions), tournament.players_per_table)
        if plan.games > MAX_GAMES:
            raise TooManyGames(plan.games, MAX_GAMES)
        _create_matches(tournament, versions, schedule_of(tournament, list(versions)))
        _announce(tournament.pk)
    return tournament


def tournament_pause(*, tournament: Tournament) -> Tournament:
    """Hold what is not being played yet; matches being played finish.

    Raises:
        WrongState: it is not running.
    """
    with transaction.atomic():
        move(tournament.pk, [TournamentState.RUNNING], TournamentState.PAUSED)
        match_hold(matches=_matches(tournament.pk))
        _announce(tournament.pk)
    tournament.refresh_from_db()
    return tournament


def tournament_resume(*, tournament: Tournament) -> Tournament:
    """Play on; a tournament whose last match ended during the pause finishes.

    Raises:
        WrongState: it is not paused.
    """
    with transaction.atomic():
        move(tournament.pk, [TournamentState.PAUSED], TournamentState.RUNNING)
        match_release(matches=_matches(tournament.pk))
        _announce(tournament.pk)
    tournament_finish(tournament_id=tournament.pk)
    tournament.refresh_from_db()
    return tournament


def tournament_release(*, tournament: Tournament) -> Tournament:
    """Play the matches again that were held after repeated faults of the platform.

    Raises:
        WrongState: it is not running.
    """
    with transaction.atomic():
        locked(tournament.pk, TournamentState.RUNNING)
        match_release(matches=_matches(tournament.pk))
        _announce(tournament.pk)
    return tournament


def tournament_cancel(*, tournament: Tournament) -> Tournament:
    """Call it off, with every match that is not finished; results so far stay.

    Raises:
        WrongState: it has finished, or was cancelled before.
    """
    going = [TournamentState.DRAFT, TournamentState.OPEN, TournamentState.RUNNING, TournamentState.PAUSED]
    with transaction.atomic():
        move(tournament.pk, going, TournamentState.CANCELLED)
        match_cancel(matches=_matches(tournament.pk))
        _announce(tournament.pk)
    tournament.refresh_from_db()
    return tournament


def tournament_finish(*, tournament_id: int) -> bool:
    """Finish a running tournament whose matches are all decided; False, and no change, for any other."""
    undecided = Fixture.objects.filter(tournament=tournament_id, match__state__in=UNDECIDED)
    with transaction.atomic():
        finished = (
            Tournament.objects.filter(pk=tournament_id, state=TournamentState.RUNNING)
            .exclude(pk__in=undecided.values("tournament"))
            .update(state=TournamentState.FINISHED, finished=timezone.now())
        )
        if finished:
            _announce(tournament_id)
    return bool(finished)


def tournaments_tend() -> int:
    """The safety net for lost messages: finish what is decided, and hold again what a platform fault has queued
    during a pause. Returns how many tournaments finished."""
    for tournament_id in _ids(TournamentState.PAUSED):
        with transaction.atomic():
            if Tournament.objects.select_for_update().get(pk=tournament_id).state == TournamentState.PAUSED:
                match_hold(matches=_matches(tournament_id))
    return sum(tournament_finish(tournament_id=tournament_id) for tournament_id in _ids(TournamentState.RUNNING))


def match_secret(tournament: Tournament, round_number: int, table: int) -> bytes:
    """The secret of a table's match: whoever knows the tournament's can derive it, and with it every seed."""
    return block_seed(bytes(tournament.secret), "match", round_number, table)


def _freeze(tournament: Tournament) -> dict[int, BotVersion]:
    """The version each entry plays with; an entry whose bot has none any more is withdrawn."""
    entries = Entry.objects.filter(tournament=tournament, withdrawn=False)
    playing = entries.filter(bot__current__state=VersionState.ACCEPTED)
    entries.exclude(pk__in=playing.values_list("pk", flat=True)).update(withdrawn=True)
    frozen: list[Entry] = []
    for entry in playing.select_related("bot__current"):
        entry.version = entry.bot.current
        frozen.append(entry)
    Entry.objects.bulk_update(frozen, ["version"])
    return {entry.pk: entry.version for entry in frozen if entry.version is not None}


def _create_matches(tournament: Tournament, versions: dict[int, BotVersion], schedule: Schedule) -> None:
    places = [
        (round_number, table, seating)
        for round_number, tables in enumerate(schedule.rounds, start=1)
        for table, seating in enumerate(tables, start=1)
    ]
    matches = matches_create(
        ruleset=tournament.ruleset,
        options=tournament.options,
        pairings=[
            Pairing([versions[entry] for entry in seating], match_secret(tournament, round_number, table))
            for round_number, table, seating in places
        ],
        blocks=tournament.blocks,
        limits=tournament.limits,
        pace_ms=tournament.pace_ms,
        finished_task=FINISHED_TASK,
    )
    Fixture.objects.bulk_create(
        Fixture(tournament=tournament, round=round_number, table=table, match=match)
        for (round_number, table, _), match in zip(places, matches, strict=True)
    )


def _matches(tournament_id: int) -> QuerySet[Match]:
    return Match.objects.filter(fixture__tournament=tournament_id)


def _ids(state: TournamentState) -> list[int]:
    return list(Tournament.objects.filter(state=state).values_list("pk", flat=True))


def _announce(tournament_id: int) -> None:
    transaction.on_commit(lambda: announce(f"tournament.{tournament_id}"))
