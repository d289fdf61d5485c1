"""From the start to the end. Fixtures, matches and states change together or not at all."""

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from bots.models import BotVersion, VersionState
from matches.models import Match
from matches.services import match_cancel, match_hold, match_release
from tournaments.errors import TooFewEntries, TooManyGames
from tournaments.models import Entry, Fixture, Tournament, TournamentState
from tournaments.plan import MAX_GAMES, plan_of, schedule_of
from tournaments.services.moves import announce_later, locked, move
from tournaments.services.rounds import UNDECIDED, round_draw, schedule_create


def tournament_start(*, tournament: Tournament) -> Tournament:
    """Freeze each bot's current version, draw the rounds (of a Swiss the first) and queue their matches, in one
    transaction.

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
            raise TooFewEntries(len(versions), tournament.smallest_field)
        if plan.games > MAX_GAMES:
            raise TooManyGames(plan.games, MAX_GAMES)
        if tournament.is_swiss:
            round_draw(tournament_id=tournament.pk)
            tournament.refresh_from_db()
        else:
            schedule_create(tournament, versions, schedule_of(tournament, list(versions)))
        announce_later(tournament.pk)
    return tournament


def tournament_pause(*, tournament: Tournament) -> Tournament:
    """Hold what is not being played yet; matches being played finish.

    Raises:
        WrongState: it is not running.
    """
    with transaction.atomic():
        move(tournament.pk, [TournamentState.RUNNING], TournamentState.PAUSED)
        match_hold(matches=_matches(tournament.pk))
        announce_later(tournament.pk)
    tournament.refresh_from_db()
    return tournament


def tournament_resume(*, tournament: Tournament) -> Tournament:
    """Play on; a tournament whose last match ended during the pause finishes, or draws its next round.

    Raises:
        WrongState: it is not paused.
    """
    with transaction.atomic():
        move(tournament.pk, [TournamentState.PAUSED], TournamentState.RUNNING)
        match_release(matches=_matches(tournament.pk))
        announce_later(tournament.pk)
    tournament_advance(tournament_id=tournament.pk)
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
        announce_later(tournament.pk)
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
        announce_later(tournament.pk)
    tournament.refresh_from_db()
    return tournament


def tournament_advance(*, tournament_id: int) -> bool:
    """Draw the next round or finish, whichever is due; False, and no change, if neither is."""
    return round_draw(tournament_id=tournament_id) or tournament_finish(tournament_id=tournament_id)


def tournament_finish(*, tournament_id: int) -> bool:
    """Finish a running tournament whose rounds are all drawn and decided; False, and no change, for any other."""
    undecided = Fixture.objects.filter(tournament=tournament_id, match__state__in=UNDECIDED)
    with transaction.atomic():
        finished = (
            Tournament.objects.filter(pk=tournament_id, state=TournamentState.RUNNING, drawn__gte=F("rounds"))
            .exclude(pk__in=undecided.values("tournament"))
            .update(state=TournamentState.FINISHED, finished=timezone.now())
        )
        if finished:
            announce_later(tournament_id)
    return bool(finished)


def tournaments_tend() -> int:
    """The safety net for lost messages: draw the rounds and finish the tournaments that are due, and hold again what
    a platform fault has queued during a pause. Returns how many moved on."""
    for tournament_id in _ids(TournamentState.PAUSED):
        with transaction.atomic():
            if Tournament.objects.select_for_update().get(pk=tournament_id).state == TournamentState.PAUSED:
                match_hold(matches=_matches(tournament_id))
    return sum(tournament_advance(tournament_id=tournament_id) for tournament_id in _ids(TournamentState.RUNNING))


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


def _matches(tournament_id: int) -> QuerySet[Match]:
    return Match.objects.filter(fixture__tournament=tournament_id)


def _ids(state: TournamentState) -> list[int]:
    return list(Tournament.objects.filter(state=state).values_list("pk", flat=True))
