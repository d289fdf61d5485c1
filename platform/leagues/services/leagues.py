"""Create, edit, pause and resume leagues, and offer the data sets of finished seasons.

A league is paused automatically while the code of its game is missing or fails.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from django.contrib.auth.models import AbstractUser
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from contests.audience import audience_widens
from contests.caps import caps_require
from contests.permissions import organiser_permission_require
from games.catalogue import catalogue_has_ruleset, current
from games.protocol import Limits
from leagues.errors import (
    LeagueFixed,
    LeagueGameMissing,
    LeagueNotPaused,
    LeaguePaused,
    LeagueWrongState,
    NotADraft,
    NotOpen,
)
from leagues.hook_events import league_paused_event_publish
from leagues.models import League, LeagueState, Season, SeasonState
from leagues.models.season import SEASON
from live import hub_announce
from matches.datasets.rows import DatasetLicence
from matches.models import Match
from matches.queue.stuck_contests import WatchedContest, stuck_contests_tend
from matches.services import match_hold, match_publish, match_release
from matches.visibility import visibility_audience
from web.page_cache import pages_forget

EDITABLE: Final = frozenset(
    {"description", "bots_per_author", "team_size", "season_days", "audience", "group_id"}
    | {"divisions", "division_size", "division_moves"}
)
RESERVED_SLUGS: Final = frozenset({"", "new"})


def league_create(
    *,
    organiser: AbstractUser,
    name: str,
    ruleset: str,
    players_per_table: int = 2,
    options: Mapping[str, Any] | None = None,
    limits: Limits | None = None,
    **fields: Any,
) -> League:
    """Create a draft. Its address is derived from its name. ``fields`` are values for other fields of the model.

    Raises:
        NotAnOrganiser: ``organiser`` may not create leagues.
        UnknownRuleset, SeatError, OptionError: the game is unknown, or cannot be played with these numbers or options.
        OverCap: the settings exceed the site's caps on the work of a match.
    """
    organiser_permission_require(organiser)
    league = League(organiser_id=organiser.pk, **fields)
    _describe(league, name, ruleset, players_per_table, options or {}, limits or Limits())
    while True:
        league.slug = _free_slug(name)
        try:
            with transaction.atomic():
                league.save()
        except IntegrityError:  # the address was taken after the check, or the name is not valid
            if not League.objects.filter(slug=league.slug).exists():
                raise
        else:
            return league


def league_update(
    *,
    league: League,
    name: str,
    ruleset: str,
    players_per_table: int,
    options: Mapping[str, Any],
    limits: Limits,
    **fields: Any,
) -> League:
    """Change a draft. Its address stays the same.

    Raises:
        NotADraft: the league has opened.
        UnknownRuleset, SeatError, OptionError: see ``league_create``.
    """
    with transaction.atomic():
        league = League.objects.select_for_update().get(pk=league.pk)
        if league.state != LeagueState.DRAFT:
            raise NotADraft(league.state)
        for field, value in fields.items():
            setattr(league, field, value)
        _describe(league, name, ruleset, players_per_table, options, limits)
        league.save()
    return league


def league_edit(*, league: League, **fields: Any) -> League:
    """Change fields of an open or closed league. ``fields`` are some of ``EDITABLE``, which have no effect on results.

    A new season length and new divisions apply to later seasons. New limits on bots and people apply to bots that join
    later.

    Raises:
        LeagueWrongState: the league is a draft.
        LeagueFixed: a field cannot be changed any more, or the new audience does not include everybody in the old one.
    """
    if fixed := sorted(fields.keys() - EDITABLE):
        raise LeagueFixed(fixed[0])
    with transaction.atomic():
        league = League.objects.select_for_update().get(pk=league.pk)
        if league.state == LeagueState.DRAFT:
            raise LeagueWrongState(LeagueState.DRAFT, _("The league is a draft: edit all of it."))
        before = league.audience
        audience, group_id = fields.get("audience", before), fields.get("group_id", league.group_id)
        if not audience_widens(league, audience, group_id):
            raise LeagueFixed("audience")
        League.objects.filter(pk=league.pk).update(**fields)
        league.refresh_from_db()
        if league.audience != before:
            match_publish(matches=_matches(league), **visibility_audience(league))
            pages_forget()  # lists now include the league
        league_announce_later(league.pk)
    league.refresh_from_db()
    return league


def _describe(
    league: League,
    name: str,
    game: str,
    players_per_table: int,
    options: Mapping[str, Any],
    limits: Limits,
) -> None:
    ruleset = current(game)
    caps_require(limits=limits, blocks=[league.blocks], min_action_ms=league.min_action_ms)
    league.name = name
    league.ruleset = ruleset.id
    league.players_per_table = players_per_table
    league.options = ruleset.offer(players_per_table, options)
    league.limits = limits.to_dict()


def _free_slug(name: str) -> str:
    base = slugify(name)[:80].strip("-")
    base = f"{base}-league".strip("-") if base in RESERVED_SLUGS else base
    taken = set(League.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    return next(slug for n in range(1, len(taken) + 2) if (slug := base if n == 1 else f"{base}-{n}") not in taken)


def league_pause(*, league: League, because: str = "") -> League:
    """Stop choosing matches. Queued matches are still played.

    If the site pauses the league automatically, ``because`` is the reason. Queued matches are then held.

    Raises:
        NotOpen: the league is a draft or closed.
        LeaguePaused: it is paused already.
    """
    with transaction.atomic():
        going = League.objects.filter(pk=league.pk, state=LeagueState.OPEN)
        going = going.filter(Q(paused_at=None) | ~Q(paused_because="") if because else Q(paused_at=None))
        if not going.update(paused_at=timezone.now(), paused_because=because):
            league.refresh_from_db()
            raise LeaguePaused if league.state == LeagueState.OPEN else NotOpen(league.state)
        if because:
            match_hold(matches=_matches(league))
            league_paused_event_publish(league, because)
        league_announce_later(league.pk)
    league.refresh_from_db()
    return league


def league_resume(*, league: League) -> League:
    """Choose matches again, and release the held ones.

    Raises:
        LeagueNotPaused: the league is not paused.
        LeagueGameMissing: its game is not installed.
    """
    with transaction.atomic():
        paused = League.objects.filter(pk=league.pk, paused_at__isnull=False)
        if not paused.update(paused_at=None, paused_because=""):
            raise LeagueNotPaused
        if not catalogue_has_ruleset(league.ruleset):
            raise LeagueGameMissing(league.ruleset)
        match_release(matches=_matches(league))
        league_announce_later(league.pk)
    league.refresh_from_db()
    return league


def _matches(league: League) -> QuerySet[Match]:
    return Match.objects.filter(league_match__season__league=league.pk)


def league_announce_later(league_id: int) -> None:
    """Announce a change of the league after commit."""
    transaction.on_commit(partial(hub_announce, f"league.{league_id}", reload=True))


def season_dataset_licence_set(*, season: Season, licence: str) -> Season:
    """Offer the data set under ``licence``, or withdraw it with "". A repeated call changes nothing.

    Raises:
        LeagueWrongState: the season is not over.
    """
    wished = DatasetLicence(licence).value if licence else ""
    over = Season.objects.filter(pk=season.pk, state=SeasonState.FINISHED)
    if over.exclude(dataset_licence=wished).update(dataset_licence=wished):
        pages_forget()
    season.refresh_from_db()
    if season.is_running:
        raise LeagueWrongState(season.state, _("The data set can be offered once the season is over."))
    return season


def stuck_leagues_pause() -> None:
    """Pause leagues whose game is missing or fails, and resume those whose game works again."""
    going = Season.objects.filter(state=SeasonState.RUNNING).select_related("league")
    stuck_contests_tend(
        WatchedContest(
            key=SEASON.numbered(season.pk),
            ruleset=season.league.ruleset,
            matches=Match.objects.filter(league_match__season=season),
            because=season.league.paused_because,
            pause=partial(league_pause, league=season.league),
            resume=partial(league_resume, league=season.league),
        )
        for season in going.filter(Q(league__paused_at=None) | ~Q(league__paused_because=""))
    )
