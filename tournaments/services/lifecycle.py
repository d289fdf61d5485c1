"""Start, pause, resume and cancel tournaments. Fixtures, matches and states change in one transaction."""

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.db.models import OuterRef, QuerySet, Subquery, prefetch_related_objects
from django.utils import timezone

from bots.models import Bot
from games.catalogue import catalogue_has_ruleset, current
from matches.models import Match
from matches.services import match_cancel, match_hold, match_release
from tournaments.errors import GameMissing, SupersededRules, TooFewEntries, TooManyForFormat, WrongState
from tournaments.hook_events import (
    ENTRIES_OPEN,
    FINISHED,
    STARTED,
    Stop,
    tournament_entries_event_publish,
    tournament_state_event_publish,
    tournament_stop_event_publish,
)
from tournaments.models import CancelledBy, Entry, Tournament, TournamentState
from tournaments.models.tournament import REASON_MOST
from tournaments.selectors.entering.entry_versions import PLAYABLE
from tournaments.services.forbidden_pairs import forbidden_author_groups_create
from tournaments.services.leaving import entries_leave
from tournaments.services.luck import tournament_luck_begin, tournament_luck_commit, tournament_luck_freeze
from tournaments.services.registration import registration_team_players_freeze
from tournaments.services.rounds import stage_rounds_begin, tournament_advance
from tournaments.services.tournament_chain import (
    tournament_chain_link_append,
    tournament_chain_results_append,
    tournament_chain_secret_append,
    tournament_chain_terms_append,
)
from tournaments.services.transitions import tournament_announce_later, tournament_locked, tournament_state_move
from tournaments.workload import workload_plan, workload_require
from web.database import database_rows


def tournament_lock(*, tournament: Tournament) -> Tournament:
    """Close entries, and freeze the current version of each bot.

    Versions that are uploaded later do not play, unless the tournament takes new versions.

    Raises:
        WrongState: entries are not open.
    """
    with transaction.atomic():
        tournament_state_move(tournament.pk, [TournamentState.OPEN], TournamentState.LOCKED)
        _freeze(tournament)
        tournament_announce_later(tournament.pk)
    tournament.refresh_from_db()
    return tournament


def tournament_reopen(*, tournament: Tournament) -> Tournament:
    """Open entries again, without a deadline. The current versions of the bots are frozen when entries close again.

    A new secret is committed. The nonces that were added since entries closed do not count for it, because they were
    added to entries that may now change.

    Raises:
        WrongState: entries are not closed, or the tournament has started.
    """
    with transaction.atomic():
        tournament_state_move(tournament.pk, [TournamentState.LOCKED], TournamentState.OPEN, entries_close_at=None)
        Entry.objects.filter(tournament=tournament).update(version=None)
        tournament.kept_groups.filter(is_of_author=True).delete()
        tournament_chain_link_append(tournament.pk, "unlocked", {})
        tournament_luck_commit(tournament)
        tournament_announce_later(tournament.pk)
    tournament.refresh_from_db()
    return tournament


def tournament_start(*, tournament: Tournament, by_itself: bool = False) -> Tournament:
    """Start the tournament.

    If entries are still open, freeze the versions. Begin the first stage in the same transaction. Then draw its rounds,
    or the first round if rounds are drawn one by one, and queue the matches. With ``by_itself``, start only if the
    tournament is due.

    Raises:
        WrongState: entries are neither open nor closed (for example because another call was first), or, with
            ``by_itself``, the tournament is not due.
        GameMissing: the game is not installed.
        TooFewEntries: there are too few entries to fill a table.
        TooManyForFormat: there are more entries than the format can pair in time.
        TooManyForTables, TooManyGames, TooMuchWork: the limits of the site are exceeded.
    """
    with transaction.atomic():
        origin = [TournamentState.OPEN, TournamentState.LOCKED]
        before = tournament_locked(tournament.pk, *origin)
        was = before.state
        if by_itself and not before.is_due:
            raise WrongState(TournamentState(was), origin)
        tournament_state_move(tournament.pk, origin, TournamentState.RUNNING, started_at=timezone.now())
        tournament.refresh_from_db()
        _game_playable_require(tournament)
        prefetch_related_objects([tournament], "stages")  # the calls below read them several times
        if was == TournamentState.OPEN:
            _freeze(tournament)
        tournament_luck_begin(tournament)
        # An entry that was withdrawn after the freeze did not take part, so the standings leave it out.
        tournament.entries.filter(is_withdrawn=True).update(version=None)
        playing = tournament.entries.filter(is_withdrawn=False).count()
        stage = tournament.stage
        if workload_plan(tournament, playing) is None:
            raise TooFewEntries(playing, stage.smallest_field)
        most = stage.kind.entrants_most
        if most is not None and playing > most:
            raise TooManyForFormat(playing, most)
        workload_require(tournament, playing)
        stage_rounds_begin(stage)
        tournament_state_event_publish(tournament.pk, STARTED)
        tournament_announce_later(tournament.pk)
    tournament_advance(tournament_id=tournament.pk)
    tournament.refresh_from_db()
    return tournament


def tournament_pause(*, tournament: Tournament, because: str = "") -> Tournament:
    """Pause the tournament: hold its queued matches. Running matches finish.

    If the site pauses the tournament automatically, ``because`` is the reason. If the site has paused it before, it
    stays paused and gets the new reason.

    Raises:
        WrongState: the tournament is not running. With ``because``, it may also be paused by the site.
    """
    with transaction.atomic():
        origin = [TournamentState.RUNNING]
        if because and tournament_locked(tournament.pk, *TournamentState).paused_because:
            origin.append(TournamentState.PAUSED)  # the reason may change, but not the pause of an organiser
        tournament_state_move(tournament.pk, origin, TournamentState.PAUSED, paused_because=because)
        match_hold(matches=tournament_matches_begun(tournament.pk))
        if because:
            tournament.refresh_from_db()
            tournament_stop_event_publish(tournament, Stop.GAME, because)
        tournament_announce_later(tournament.pk)
    tournament.refresh_from_db()
    return tournament


def tournament_resume(*, tournament: Tournament) -> Tournament:
    """Resume a paused tournament. If its last match ended during the pause, it finishes or draws the next round.

    Raises:
        WrongState: the tournament is not paused.
        GameMissing: the game is not installed.
    """
    with transaction.atomic():
        tournament_state_move(tournament.pk, [TournamentState.PAUSED], TournamentState.RUNNING, paused_because="")
        _game_playable_require(tournament)
        tournament_luck_begin(tournament)
        match_release(matches=tournament_matches_begun(tournament.pk))
        tournament_announce_later(tournament.pk)
    tournament_advance(tournament_id=tournament.pk)
    tournament.refresh_from_db()
    return tournament


def tournament_release(*, tournament: Tournament) -> Tournament:
    """Queue the matches that were held after repeated faults of the platform.

    Raises:
        WrongState: the tournament is not running.
    """
    with transaction.atomic():
        tournament_locked(tournament.pk, TournamentState.RUNNING)
        match_release(matches=tournament_matches_begun(tournament.pk))
        tournament_announce_later(tournament.pk)
    return tournament


def tournament_cancel(*, tournament: Tournament, by: AbstractUser | None = None, reason: str = "") -> Tournament:
    """Cancel the tournament and its unfinished matches. Results so far stay.

    ``by`` is the organiser, which is the default, or staff. The ``reason`` is public; it may be empty.

    Raises:
        WrongState: the tournament has finished, or was cancelled before.
    """
    going = [state for state in TournamentState if state not in (TournamentState.FINISHED, TournamentState.CANCELLED)]
    with transaction.atomic():
        is_staffs = by is not None and by.pk != tournament.organiser_id
        tournament_state_move(
            *(tournament.pk, going, TournamentState.CANCELLED),
            cancelled_at=timezone.now(),
            cancelled_by=CancelledBy.STAFF if is_staffs else CancelledBy.ORGANISER,
            cancelled_reason=" ".join(reason.split())[:REASON_MOST],
        )
        tournament_chain_results_append(tournament_id=tournament.pk)
        match_cancel(matches=Match.objects.filter(fixture__round__tournament=tournament.pk))
        tournament_chain_link_append(tournament.pk, "cancelled", {})
        tournament_state_event_publish(tournament.pk, FINISHED)
        tournament_announce_later(tournament.pk)
    tournament.refresh_from_db()
    return tournament


def _game_playable_require(tournament: Tournament) -> None:
    """Require that the tournament's game can be played.

    Raises:
        GameMissing: the package of the game is missing or broken.
    """
    if not catalogue_has_ruleset(tournament.ruleset):
        raise GameMissing(tournament.ruleset)


def _freeze(tournament: Tournament) -> None:
    """Freeze the version with which each entry plays.

    Withdraw the entries whose bots have no playable version, and the entries of teams in which nobody is left.
    """
    entries = Entry.objects.filter(tournament=tournament, is_withdrawn=False)
    playing = entries.filter(PLAYABLE)
    entries_leave(entries=entries.exclude(pk__in=playing.values_list("pk", flat=True)), why="no version")
    nobody_left = registration_team_players_freeze(tournament, playing)
    if nobody_left:
        entries_leave(entries=entries.filter(bot__owner__in=nobody_left), why="withdrawn")
    current = Bot.objects.filter(pk=OuterRef("bot")).values("current")
    database_rows(playing).update(version=Subquery(current))
    tournament_chain_terms_append(tournament)
    tournament_chain_secret_append(tournament.luck)
    tournament_luck_freeze(tournament)
    forbidden_author_groups_create(tournament)


def tournament_matches_begun(tournament_id: int) -> QuerySet[Match]:
    """Return the matches of the rounds that have begun."""
    return Match.objects.filter(fixture__round__tournament=tournament_id, fixture__round__started_at__isnull=False)


def tournament_open(*, tournament: Tournament) -> Tournament:
    """Open the tournament for entries. From now on the hash of its secret is public.

    Raises:
        WrongState: the tournament is no longer a draft.
        SupersededRules: the game has newer rules than the draft.
    """
    with transaction.atomic():
        tournament_state_move(tournament.pk, [TournamentState.DRAFT], TournamentState.OPEN)
        tournament.refresh_from_db()
        newest = current(tournament.game).id
        if tournament.ruleset != newest:
            raise SupersededRules(tournament.ruleset, newest)
        tournament_chain_terms_append(tournament)
        tournament_chain_secret_append(tournament.luck)
        tournament_entries_event_publish(tournament, ENTRIES_OPEN)
        tournament_announce_later(tournament.pk)
    return tournament
