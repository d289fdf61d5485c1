"""Open and close leagues, begin and end seasons. Each transition is one conditional update.

League: draft -> open -> closed. Season: running -> finished.
"""

import logging
import secrets
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Final, TypeVar

from django.db import transaction
from django.db.models import Count, Exists, F, Max, OuterRef, QuerySet
from django.utils import timezone

from games.catalogue import current
from leagues.divisions import DivisionsFormed
from leagues.errors import LadderBeingFitted, LeagueSupersededRules, NoSeason, NotADraft, NotOpen, SeasonRunning
from leagues.hook_events import division_moves_event_publish, season_event_publish
from leagues.models import League, LeagueState, Season, SeasonEntry, SeasonState
from leagues.selectors.fitting import Agreement
from leagues.selectors.matches import season_matches_finished
from leagues.selectors.seasons import next_season_divisions_of
from leagues.services.entries import season_entries_bench, season_entries_sync
from leagues.services.joining import league_deleted_bots_leave, league_outsiders_leave
from leagues.services.ladders import (
    is_ladder_large,
    is_season_refit_due,
    ladder_fit_lock,
    season_check,
    season_luck_adjusted_refit,
    season_refit,
)
from leagues.services.leagues import league_announce_later, stuck_leagues_pause
from leagues.services.scheduling import season_schedule
from luck import luck_value_of
from matches.models import Match, MatchState
from matches.services import match_cancel

logger = logging.getLogger(__name__)
T = TypeVar("T")

SECRET_BYTES: Final = 32
LOOKED_AFTER: Final = timedelta(days=1)


def league_open(*, league: League) -> League:
    """Open a league: bots may join, the first season begins, and the terms are fixed.

    Raises:
        NotADraft: the league has opened already.
        LeagueSupersededRules: the game has newer rules than those of the draft.
    """
    with transaction.atomic():
        if not League.objects.filter(pk=league.pk, state=LeagueState.DRAFT).update(state=LeagueState.OPEN):
            raise NotADraft(_state_of(league))
        league.refresh_from_db()
        newest = current(league.game).id
        if league.ruleset != newest:
            raise LeagueSupersededRules(league.ruleset, newest)
        season_start(league=league)
    return league


def league_close(*, league: League) -> League:
    """End the running season and close the league. The ladders are kept.

    Raises:
        NotOpen: the league is a draft, or closed already.
    """
    with transaction.atomic():
        if not League.objects.filter(pk=league.pk, state=LeagueState.OPEN).update(state=LeagueState.CLOSED):
            raise NotOpen(_state_of(league))
        season = Season.objects.filter(league=league, state=SeasonState.RUNNING).first()
        if season is not None:
            _finish(season)
        league_announce_later(league.pk)
    if season is not None:
        _settle(season)
    league.refresh_from_db()
    return league


def season_start(*, league: League) -> Season:
    """Start the next season with a new secret and all members. Ratings and divisions carry over from the last season.

    Promotion and relegation happen in the same transaction, so they are decided only once.

    Raises:
        NotOpen: the league is not open.
        SeasonRunning: the last season has not ended.
        LadderBeingFitted: the final ladder of the last season is large, and is still being fitted.
    """
    last = Season.objects.filter(league=league, state=SeasonState.FINISHED).order_by("-number").first()
    if last is not None and not _settle(last):
        raise LadderBeingFitted
    with transaction.atomic():
        league = League.objects.select_for_update().get(pk=league.pk)
        if league.state != LeagueState.OPEN:
            raise NotOpen(league.state)
        # A later season may have begun, and even ended, meanwhile. Then ``last`` has an outdated ladder for divisions.
        if Season.objects.filter(league=league, number__gt=last.number if last else 0).exists():
            raise SeasonRunning
        now, formed = timezone.now(), _divisions(league, last)
        season = Season.objects.create(
            league=league,
            number=(Season.objects.filter(league=league).aggregate(last=Max("number"))["last"] or 0) + 1,
            secret=secrets.token_bytes(SECRET_BYTES),
            luck_value=luck_value_of(league.ruleset),
            starts_at=now,
            ends_at=now + timedelta(days=league.season_days) if league.season_days else None,
            divisions=formed.count if formed else 1,
            division_size=league.division_size,
            division_moves=league.division_moves,
        )
        season_entries_sync(season_id=season.pk, formed=formed)
        season_event_publish(league, season, SeasonState.RUNNING)
        if formed and formed.before:
            division_moves_event_publish(season)
        league_announce_later(league.pk)
    return season


def _divisions(league: League, last: Season | None) -> DivisionsFormed | None:
    """Return the divisions of the season after ``last``; None if that season has none.

    When a league first gets divisions, no bot counts as promoted or relegated.
    """
    if last is None or league.divisions == 1:
        return None
    formed = next_season_divisions_of(league, last)
    return formed if last.divisions > 1 else replace(formed, before={})


def season_end(*, league: League) -> Season:
    """End the running season now. Unfinished matches are cancelled, and the final ladder is fixed.

    Raises:
        NoSeason: no season is running.
    """
    season = Season.objects.filter(league=league, state=SeasonState.RUNNING).first()
    if season is None:
        raise NoSeason
    _season_end_now(season)
    season.refresh_from_db()
    return season


def leagues_tend() -> int:
    """Do everything that is due in leagues. Return how many matches were queued.

    End seasons whose time is over, and begin the next ones in open leagues; enter new versions; bench failing bots;
    pause leagues whose game fails; queue matches.
    """
    league_deleted_bots_leave()
    league_outsiders_leave()
    for season in Season.objects.filter(state=SeasonState.RUNNING, ends_at__lte=timezone.now()):
        _season_act_guarded(_season_end_now, season)
    for season in _ended_by_date().select_related("league"):
        _season_act_guarded(_season_start_next, season)
    stuck_leagues_pause()
    return sum(_season_act_guarded(_tend, season) or 0 for season in _running())


def leagues_refit() -> int:
    """Refit every ladder that changed, small ones first. Return how many were written.

    A ladder that another process is fitting is skipped. If another process fits a large ladder, all large ladders are
    skipped, so that fits never occupy all results workers. Seasons that ended recently are included, because their last
    refit may have been interrupted.
    """
    seasons = Season.objects.filter(pk__in=[season.pk for season in [*_running(), *_recently_ended()]])
    by_size = seasons.annotate(entries=Count("season_entries")).order_by("entries", "pk")
    return sum(_season_act_guarded(_refit, season) or 0 for season in by_size)


def leagues_luck_adjusted_refit() -> int:
    """Request analyses and refit the luck-adjusted ratings of seasons that changed. Return how many were written."""
    seasons = [*_running(), *_recently_ended()]
    return sum(
        _season_act_guarded(lambda one: season_luck_adjusted_refit(season_id=one.pk), season) or 0 for season in seasons
    )


def leagues_check() -> int:
    """Compare every running ladder with a fit from scratch. Return how many differ."""
    found = [_season_act_guarded(lambda season: season_check(season_id=season.pk), season) for season in _running()]
    return sum(one is Agreement.DIFFERS for one in found)


def _season_act_guarded(act: Callable[[Season], T], season: Season) -> T | None:
    """Run ``act`` for one season and log its errors, so that they do not stop the other seasons."""
    try:
        return act(season)
    except (NoSeason, SeasonRunning, NotOpen, LadderBeingFitted) as refused:
        logger.info("season %d: %s", season.pk, refused.code)
    except Exception:
        logger.exception("season %d was not tended", season.pk)
    return None


def _tend(season: Season) -> int:
    # If faults of the platform hold matches, these are cancelled, and others are chosen. If faults of the game hold
    # matches, these are kept: the league is paused, and they wait until it resumes.
    failed = Match.objects.filter(league_match__season=season, is_games_fault=False)
    match_cancel(matches=failed.filter(league_match__season__league__paused_because=""), states=[MatchState.HELD])
    season_entries_bench(season_id=season.pk)
    season_entries_sync(season_id=season.pk)
    return season_schedule(season_id=season.pk)


def _refit(season: Season) -> bool:
    entries = SeasonEntry.objects.filter(season=season).count()
    with ladder_fit_lock(season_id=season.pk, entries=entries) as mine:
        return mine and season_refit(season_id=season.pk)


def _ended_by_date() -> QuerySet[Season]:
    """Return seasons of open leagues that ended at their planned time, and whose next season has not begun."""
    later = Season.objects.filter(league=OuterRef("league"), number__gt=OuterRef("number"))
    ended = Season.objects.filter(
        state=SeasonState.FINISHED, ends_at__lte=F("finished_at"), league__state=LeagueState.OPEN
    )
    return ended.filter(~Exists(later))


def _season_start_next(season: Season) -> None:
    season_start(league=season.league)


def _season_end_now(season: Season) -> None:
    """End this season. Do not end a later season of the league.

    Raises:
        NoSeason: the season has ended already.
    """
    with transaction.atomic():
        if not _finish(season):
            raise NoSeason
        league_announce_later(season.league_id)
    _settle(season)


def _settle(season: Season) -> bool:
    """Fit the final ladder of a season that has ended, from which the next season starts. Return whether it is fitted.

    A large ladder is left to ``leagues_refit``, because its fit takes long and a user may be waiting.
    """
    entries = SeasonEntry.objects.filter(season=season).count()
    if is_ladder_large(entries) and _recently_ended().filter(pk=season.pk).exists():
        return not is_season_refit_due(Season.objects.get(pk=season.pk), season_matches_finished(season))
    season_refit(season_id=season.pk)
    return True


def _finish(season: Season) -> bool:
    finished = Season.objects.filter(pk=season.pk, state=SeasonState.RUNNING).update(
        state=SeasonState.FINISHED, finished_at=timezone.now()
    )
    if finished:
        season.refresh_from_db()
        if (
            not _ended_by_date().filter(pk=season.pk).exists()
        ):  # otherwise followers are notified of the next season instead
            season_event_publish(season.league, season, SeasonState.FINISHED)
        match_cancel(matches=Match.objects.filter(league_match__season=season))
    return bool(finished)


def _recently_ended() -> QuerySet[Season]:
    return Season.objects.filter(state=SeasonState.FINISHED, finished_at__gt=timezone.now() - LOOKED_AFTER)


def _running() -> list[Season]:
    return list(Season.objects.filter(state=SeasonState.RUNNING).order_by("pk"))


def _state_of(league: League) -> str:
    return League.objects.values_list("state", flat=True).get(pk=league.pk)
