"""Cups: tournaments of the best bots of a league's ladder, held once or every week.

Weekly cups are planned once, and each is created a day before it starts. The plan ends when the organiser ends it, or
when the season is over.
"""

import logging
from datetime import datetime
from typing import Final

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from contests.caps import OverCap
from games.catalogue import current
from games.protocol import Limits
from leagues.models import Season, SeasonState
from leagues.services.leagues import league_announce_later
from tournaments.errors import CupRefused, EntryRefused, TournamentError
from tournaments.formats.registry import FORMATS
from tournaments.missed_events import cup_missed_event_publish
from tournaments.models import (
    OPENS_BEFORE,
    Admission,
    KeepApart,
    LadderCup,
    NoCup,
    PassedOver,
    Tournament,
    WeeklyCup,
    WeeklyEnd,
)
from tournaments.presets import Preset, tournament_preset_named
from tournaments.selectors.pages.ladder_cups import LadderPlace, ladder_cup_field
from tournaments.services.drafting import StagePlan, tournament_create
from tournaments.services.entering import entry_create
from tournaments.services.lifecycle import tournament_open
from web.email import email_language_of

BEST_MOST: Final = 128  # bots in one cup


def ladder_cup_create(
    *,
    season: Season,
    name: str,
    preset: Preset,
    best: int,
    first_round_at: datetime | None,
    time_zone: str,
    weekly: WeeklyCup | None = None,
) -> Tournament:
    """Create a cup of the season's ladder, open it and enter the ``best`` bots, all or nothing.

    The organiser, the game, the options and the limits are those of the league. A knockout is seeded in the order of
    the ladder. Authors are notified. Other bots enter by invitation only. ``weekly`` is the plan to which the cup
    belongs; its ``made`` must include this cup already.

    Raises:
        CupRefused: the game has newer rules than the league, the site does not allow the limits of the league or the
            blocks of the preset, or too few bots can be entered to start.
        NotAnOrganiser, TooLarge: see ``tournament_create``.
    """
    league = season.league
    newest = current(league.game).id
    if league.ruleset != newest:
        sentence = _("The league uses the rules %(old)s, but new tournaments use %(new)s: it cannot have new cups.")
        raise CupRefused("superseded", sentence % {"old": league.ruleset, "new": newest})
    with transaction.atomic():
        stages = ladder_cup_stages_planned(preset, league.players_per_table)
        field = ladder_cup_field(season, best)
        try:
            tournament = tournament_create(
                organiser=league.organiser,
                name=name,
                ruleset=league.game,
                stages=stages,
                options=league.options,
                limits=Limits.from_dict(league.limits),
                tie_breaks=FORMATS[stages[0].format].tie_breaks,
                entrants_most=best,
                entries_per_author=league.bots_per_author,
                keep_apart=KeepApart.AUTHOR,
                admission=Admission.INVITED,
                first_round_at=first_round_at,
                time_zone=time_zone,
                audience=league.audience,
                group_id=league.group_id,
            )
        except OverCap as error:
            raise CupRefused("over_cap", str(error)) from None
        number = weekly.made if weekly else None
        cup = LadderCup.objects.create(tournament=tournament, season=season, best=best, weekly=weekly, number=number)
        tournament_open(tournament=tournament)
        refused = [one for one in field.taken if not _entered(tournament, one)]
        few = len(field.taken) - len(refused)
        if few < (least := tournament.stage.smallest_field):
            raise CupRefused("too_few", _too_few_message(few, least))
        passed_over = [[one.bot.pk, one.place, one.why] for one in field.passed_over]
        cup.passed_over = [*passed_over, *([one.bot.pk, one.place, PassedOver.REFUSED] for one in refused)]
        cup.save(update_fields=["passed_over"])
        league_announce_later(league.pk)
    return tournament


def _entered(tournament: Tournament, one: LadderPlace) -> bool:
    """Enter a bot. Return False if it cannot enter any more."""
    try:
        entry_create(tournament=tournament, bot=one.bot, by=tournament.organiser, ladder_place=one.place)
    except EntryRefused:
        return False
    return True


def _too_few_message(few: int, least: int) -> str:
    """Return the message for a ladder from which only ``few`` of ``least`` bots can be entered."""
    sentence = _(
        "Bots of this ladder that may be entered: %(few)d; needed to start: %(least)d. Wait until more bots have "
        "joined whose authors let organisers enter them."
    )
    return sentence % {"few": few, "least": least}


def ladder_cup_stages_planned(preset: Preset, players: int) -> list[StagePlan]:
    """Return the stages of a preset with tables of ``players``, as the form would create them."""
    fields = preset.at_tables(players)
    first, final = FORMATS[fields["format"]], FORMATS.get(fields.get("final", ""))
    third = bool(fields.get("third_place"))
    stages = [
        StagePlan(
            format=first.code,
            players_per_table=players,
            rounds=fields["rounds"] if first.takes_rounds else 0,
            blocks=fields["blocks"],
            has_third_place=third and first.takes_third_place,
        )
    ]
    if final is not None:
        last = StagePlan(
            format=final.code,
            players_per_table=2 if 2 in final.tables else players,
            entrants=fields["final_entrants"],
            blocks=fields["final_blocks"],
            has_third_place=third and final.takes_third_place,
        )
        stages.append(last)
    return stages


logger = logging.getLogger(__name__)


def weekly_cup_create(
    *, season: Season, name: str, preset: Preset, best: int, first_round_at: datetime, time_zone: str
) -> WeeklyCup:
    """Plan a cup of the season's ladder every week from ``first_round_at`` on, at the same local hour in the time zone.

    The sweep creates the cups, see ``weekly_cups_tend``.

    Raises:
        CupRefused: the season is not running, or has a weekly cup already.
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
        league_announce_later(season.league_id)
    return weekly


def weekly_cup_end(*, weekly: WeeklyCup) -> None:
    """End the plan, so that no more cups are created. Existing cups continue.

    Raises:
        CupRefused: the plan has ended already.
    """
    with transaction.atomic():
        if not _weekly_cup_close(weekly.pk, WeeklyEnd.ORGANISER):
            raise CupRefused("ended", _("The weekly cup has ended already."))
        league_announce_later(weekly.season.league_id)


def weekly_cups_tend() -> int:
    """Create the weekly cups that are due, each once. Return how many were created.

    Plans of finished seasons end. A week is skipped if its start has passed or its cup cannot be created; the organiser
    is notified with the reason.
    """
    going = WeeklyCup.objects.filter(ended_at__isnull=True).select_related("season__league__organiser")
    for weekly in going.filter(season__state=SeasonState.FINISHED):
        with transaction.atomic():
            if _weekly_cup_close(weekly.pk, WeeklyEnd.SEASON):
                league_announce_later(weekly.season.league_id)
    due = going.filter(season__state=SeasonState.RUNNING, next_at__lte=timezone.now() + OPENS_BEFORE)
    return sum(_make(weekly) for weekly in due)


def _weekly_cup_close(weekly_id: int, because: WeeklyEnd) -> bool:
    going = WeeklyCup.objects.filter(pk=weekly_id, ended_at__isnull=True)
    return bool(going.update(ended_at=timezone.now(), ended_because=because))


def _make(weekly: WeeklyCup) -> bool:
    """Create the cup of the week, or skip the week. Return whether the cup was created.

    Unexpected errors are logged, so that they do not stop the other cups, and the next sweep tries again.
    """
    try:
        if weekly.next_at <= timezone.now():
            _pass_over(weekly, NoCup.LATE)
            return False
        with email_language_of(weekly.season.league.organiser):  # the organiser reads the reason
            return _made(weekly)
    except CupRefused as error:
        _pass_over(weekly, NoCup.TOO_FEW if error.code == "too_few" else NoCup.REFUSED, str(error))
    except (TournamentError, PermissionDenied) as error:
        _pass_over(weekly, NoCup.REFUSED, str(error))
    except Exception:
        logger.exception("weekly cup %d was not made", weekly.pk)
    return False


def _made(weekly: WeeklyCup) -> bool:
    """Create the cup of the week and count it, in one transaction. Return False if another process was first.

    Raises:
        CupRefused, TournamentError, NotAnOrganiser: see ``ladder_cup_create``.
    """
    preset = tournament_preset_named(weekly.preset)
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
    """Skip to the next week in the future and notify the organiser, unless another process has done so."""
    week = weekly.week + 1
    while weekly.starts_at(week) <= timezone.now():
        week += 1
    with transaction.atomic():
        if _count(weekly, week, missed_at=weekly.starts_at(week - 1), missed_because=because):
            league_announce_later(weekly.season.league_id)
            weekly.refresh_from_db(fields=["week", "next_at", "missed_at", "missed_because"])
            cup_missed_event_publish(weekly, why)


def _count(weekly: WeeklyCup, week: int, **fields: object) -> bool:
    """Move the plan on to ``week``. Return False, and change nothing, if another process was first or it has ended."""
    mine = WeeklyCup.objects.filter(pk=weekly.pk, week=weekly.week, ended_at__isnull=True)
    return bool(mine.update(week=week, next_at=weekly.starts_at(week), **fields))
