"""A cup of a ladder every week: planned, made a day before it starts, ended by its organiser or with the season."""

import logging
from datetime import datetime

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from leagues.models import Season, SeasonState
from leagues.services.leagues import announce_later
from tournaments.errors import CupRefused, TournamentError
from tournaments.missed_events import cup_missed_notify
from tournaments.models import OPENS_BEFORE, NoCup, WeeklyCup, WeeklyEnd
from tournaments.presets import Preset, preset_named
from tournaments.services.ladder_cups import ladder_cup_create
from web.email import language_of

logger = logging.getLogger(__name__)


def weekly_cup_create(
    *, season: Season, name: str, preset: Preset, best: int, first_round_at: datetime, time_zone: str
) -> WeeklyCup:
    """Plan a cup of the season's ladder every week from ``first_round_at`` on, at the same hour by the clock of the
    zone. Each is made by the sweep, see ``weekly_cups_tend``.

    Raises:
        CupRefused: the season is over, or has such a cup.
    """
    with transaction.atomic():
        season = Season.objects.select_for_update().select_related("league").get(pk=season.pk)
        if not season.is_running:
            raise CupRefused("no_season", _("No season is running: start one, then plan its weekly cup."))
        if WeeklyCup.objects.filter(season=season, ended_at__isnull=True).exists():
            raise CupRefused("already", _("This season has a weekly cup already: end it before you plan another."))
        weekly = WeeklyCup.objects.create(
            season=season,
            name=name,
            preset=preset.code,
            best=best,
            time_zone=time_zone,
            first_at=first_round_at,
            next_at=first_round_at,
        )
        announce_later(season.league_id)
    return weekly


def weekly_cup_end(*, weekly: WeeklyCup) -> None:
    """Make no more cups of this plan; those that were made go on.

    Raises:
        CupRefused: it has ended.
    """
    with transaction.atomic():
        if not _end(weekly.pk, WeeklyEnd.ORGANISER):
            raise CupRefused("ended", _("The weekly cup has ended already."))
        announce_later(weekly.season.league_id)


def weekly_cups_tend() -> int:
    """Make the weekly cups that are to open, each once; how many were. Those of seasons that are over end. A week whose
    time has passed is not made up for, and one that cannot be made is skipped: its organiser is notified with the
    reason."""
    going = WeeklyCup.objects.filter(ended_at__isnull=True).select_related("season__league__organiser")
    for weekly in going.filter(season__state=SeasonState.FINISHED):
        with transaction.atomic():
            if _end(weekly.pk, WeeklyEnd.SEASON):
                announce_later(weekly.season.league_id)
    due = going.filter(season__state=SeasonState.RUNNING, next_at__lte=timezone.now() + OPENS_BEFORE)
    return sum(_make(weekly) for weekly in due)


def _end(weekly_id: int, because: WeeklyEnd) -> bool:
    going = WeeklyCup.objects.filter(pk=weekly_id, ended_at__isnull=True)
    return bool(going.update(ended_at=timezone.now(), ended_because=because))


def _make(weekly: WeeklyCup) -> bool:
    """Keep the errors of one from the others: log what nobody foresaw, and try again with the next sweep."""
    try:
        if weekly.next_at <= timezone.now():
            _pass_over(weekly, NoCup.LATE)
            return False
        with language_of(weekly.season.league.organiser):  # who gets the reason
            return _made(weekly)
    except CupRefused as error:
        _pass_over(weekly, NoCup.TOO_FEW if error.code == "too_few" else NoCup.REFUSED, str(error))
    except (TournamentError, PermissionDenied) as error:
        _pass_over(weekly, NoCup.REFUSED, str(error))
    except Exception:
        logger.exception("weekly cup %d was not made", weekly.pk)
    return False


def _made(weekly: WeeklyCup) -> bool:
    """Make the cup of the week and count it, both or neither; False if somebody else was first.

    Raises:
        CupRefused, TournamentError, NotAnOrganiser: see ``ladder_cup_create``.
    """
    preset = preset_named(weekly.preset)
    if preset is None:
        raise CupRefused("superseded", _("The preset of this weekly cup is not offered any more: plan another."))
    starts_at = weekly.next_at
    with transaction.atomic():
        if not _count(weekly, weekly.week + 1, made=F("made") + 1):
            return False
        weekly.refresh_from_db(fields=["made"])
        ladder_cup_create(
            season=weekly.season,
            name=f"{weekly.name} {weekly.made}",
            preset=preset,
            best=weekly.best,
            first_round_at=starts_at,
            time_zone=weekly.time_zone,
            weekly=weekly,
        )
    return True


def _pass_over(weekly: WeeklyCup, because: NoCup, why: str = "") -> None:
    """Go on to the next week that is to come, and notify the organiser, unless somebody else has."""
    week = weekly.week + 1
    while weekly.starts_at(week) <= timezone.now():
        week += 1
    with transaction.atomic():
        if _count(weekly, week, missed_at=weekly.starts_at(week - 1), missed_because=because):
            announce_later(weekly.season.league_id)
            weekly.refresh_from_db(fields=["week", "next_at", "missed_at", "missed_because"])
            cup_missed_notify(weekly, why)


def _count(weekly: WeeklyCup, week: int, **fields: object) -> bool:
    """Turn to another week; False, and no change, if another process has turned from this one, or it has ended."""
    mine = WeeklyCup.objects.filter(pk=weekly.pk, week=weekly.week, ended_at__isnull=True)
    return bool(mine.update(week=week, next_at=weekly.starts_at(week), **fields))
