"""Leagues open and close, seasons begin and end; each by one conditional update.

League: draft -> open -> closed. Season: running -> finished.
"""

import logging
import secrets
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from matches.models import Match, MatchState
from matches.services import match_cancel
from tournaments.league.errors import NoSeason, NotADraft, NotOpen, SeasonRunning
from tournaments.league.models import League, LeagueState, Season, SeasonState
from tournaments.league.services.announcing import announce_later
from tournaments.league.services.benching import contenders_bench
from tournaments.league.services.joining import contenders_sync
from tournaments.league.services.refitting import season_refit
from tournaments.league.services.scheduling import season_schedule

logger = logging.getLogger(__name__)

SECRET_BYTES: Final = 32
LOOKED_AFTER: Final = timedelta(days=1)
UNDECIDED: Final = (MatchState.HELD, MatchState.QUEUED, MatchState.RUNNING)


def league_open(*, league: League) -> League:
    """Let bots join and the first season begin. From now on the terms are fixed.

    Raises:
        NotADraft: it has opened already.
    """
    with transaction.atomic():
        if not League.objects.filter(pk=league.pk, state=LeagueState.DRAFT).update(state=LeagueState.OPEN):
            raise NotADraft(_state_of(league))
        league.refresh_from_db()
        season_start(league=league)
    return league


def league_close(*, league: League) -> League:
    """End the season and the league with it; the ladders stay.

    Raises:
        NotOpen: it is a draft, or closed already.
    """
    with transaction.atomic():
        if not League.objects.filter(pk=league.pk, state=LeagueState.OPEN).update(state=LeagueState.CLOSED):
            raise NotOpen(_state_of(league))
        season = Season.objects.filter(league=league, state=SeasonState.RUNNING).first()
        if season is not None:
            _finish(season)
        announce_later(league.pk)
    if season is not None:
        season_refit(season_id=season.pk)
    league.refresh_from_db()
    return league


def season_start(*, league: League) -> Season:
    """The next season, with a secret of its own and every member in it, from where the last one left it.

    Raises:
        NotOpen: the league is not open.
        SeasonRunning: the last season has not ended.
    """
    _settle_the_last(league)
    with transaction.atomic():
        league = League.objects.select_for_update().get(pk=league.pk)
        if league.state != LeagueState.OPEN:
            raise NotOpen(league.state)
        if Season.objects.filter(league=league, state=SeasonState.RUNNING).exists():
            raise SeasonRunning
        now = timezone.now()
        season = Season.objects.create(
            league=league,
            number=(Season.objects.filter(league=league).aggregate(last=Max("number"))["last"] or 0) + 1,
            secret=secrets.token_bytes(SECRET_BYTES),
            starts=now,
            ends=now + timedelta(days=league.season_days) if league.season_days else None,
        )
        contenders_sync(season_id=season.pk)
        announce_later(league.pk)
    return season


def season_end(*, league: League) -> Season:
    """End the running season now: what is not finished is called off, the final ladder stays as it is.

    Raises:
        NoSeason: none is running.
    """
    season = Season.objects.filter(league=league, state=SeasonState.RUNNING).first()
    if season is None:
        raise NoSeason
    _end(season)
    season.refresh_from_db()
    return season


def leagues_tend() -> int:
    """What is due: seasons whose time is over end and, as long as the league is open, the next begins; new versions
    play; failing bots are benched; the workers get matches. Returns how many matches were queued."""
    now = timezone.now()
    for season in Season.objects.filter(state=SeasonState.RUNNING, ends__lte=now).select_related("league"):
        _turn(season)
    return sum(_tend(season_id) for season_id in _running())


def leagues_refit() -> int:
    """Refit every ladder with news; how many were. A season that has just ended is looked after too, in case its last
    refit was interrupted."""
    ended = Season.objects.filter(state=SeasonState.FINISHED, finished__gt=timezone.now() - LOOKED_AFTER)
    return sum(season_refit(season_id=season_id) for season_id in [*_running(), *ended.values_list("pk", flat=True)])


def _tend(season_id: int) -> int:
    """One league's trouble is not another's: whatever goes wrong here is written down, and the rest goes on."""
    try:
        # A match that the platform failed too often is nobody's loss, and nobody's to wait for: others are chosen.
        match_cancel(matches=Match.objects.filter(league_match__season=season_id, state=MatchState.HELD))
        contenders_bench(season_id=season_id)
        contenders_sync(season_id=season_id)
        return season_schedule(season_id=season_id)
    except Exception:
        logger.exception("season %d was not tended", season_id)
        return 0


def _turn(season: Season) -> None:
    try:
        _end(season)
        season_start(league=season.league)
    except (NoSeason, SeasonRunning, NotOpen):
        logger.info("%s was ended by somebody else at the same time", season)


def _end(season: Season) -> None:
    """This season, and no other of the league that has begun meanwhile.

    Raises:
        NoSeason: it has ended.
    """
    with transaction.atomic():
        if not _finish(season):
            raise NoSeason
        announce_later(season.league_id)
    season_refit(season_id=season.pk)


def _settle_the_last(league: League) -> None:
    """The next season starts from the final ladder, so that must be there."""
    last = Season.objects.filter(league=league, state=SeasonState.FINISHED).order_by("-number").first()
    if last is not None:
        season_refit(season_id=last.pk)


def _finish(season: Season) -> bool:
    finished = Season.objects.filter(pk=season.pk, state=SeasonState.RUNNING).update(
        state=SeasonState.FINISHED, finished=timezone.now()
    )
    if finished:
        match_cancel(matches=Match.objects.filter(league_match__season=season, state__in=UNDECIDED))
    return bool(finished)


def _running() -> list[int]:
    return list(Season.objects.filter(state=SeasonState.RUNNING).order_by("pk").values_list("pk", flat=True))


def _state_of(league: League) -> str:
    return League.objects.values_list("state", flat=True).get(pk=league.pk)
