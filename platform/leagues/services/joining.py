"""Bots join a league, leave it, or are excluded. ``entries`` decides which of their versions play."""

from collections.abc import Sequence
from typing import Final

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bots.models import Bot, VersionState
from contests.audience import audience_outsiders, audience_refusal
from groups.models import Group
from leagues.errors import JoinRefused
from leagues.models import (
    STANDING,
    Exclusion,
    ExclusionAct,
    ExclusionBy,
    League,
    LeagueState,
    Membership,
    MembershipState,
    Season,
    SeasonEntry,
    SeasonEntryState,
    SeasonState,
)
from leagues.models.league import REASON_MOST
from leagues.selectors.permissions import (
    league_exclusion_of,
    league_limit_reached,
    may_lift_league_exclusion,
    may_run_league,
)
from leagues.selectors.seasons import last_season_entry_of, season_copies_of, season_entries_benched
from leagues.services.entries import season_entries_sync, season_entry_matches_cancel, season_entry_stand_down
from leagues.services.leagues import league_announce_later
from matches.models import Seat as MatchSeat
from matches.services import match_seats_forfeit
from teams.selectors import acts_for_owner, is_team_larger_than

MAX_BOTS: Final = 10_000


def league_bot_join(*, league: League, bot: Bot, by: AbstractUser, reason: str = "") -> Membership:
    """Enter one's own bot, or as the organiser a house bot. The bot plays with its current version until it leaves.

    A bot that left may come back. Staff may readmit an excluded bot. The organiser may too, unless staff excluded it.
    Both may give a ``reason``.

    Raises:
        JoinRefused: the league is not open, or full; the bot is somebody else's, plays another game, has no accepted
            version, is in the league already, was excluded, has the program of another bot of its author, or belongs to
            a team that is too large; its author has too many bots in the league; or it returns with a benched version,
            or in the last tenth of a season with another version.
    """
    with transaction.atomic():
        league = League.objects.select_for_update().get(pk=league.pk)
        taken_out = league_exclusion_of(league, bot)
        _check_bot(league, bot, by, taken_out)
        _check_room(league, bot)
        _check_team(league, bot)
        _check_copy(league, bot)
        membership, _created = Membership.objects.get_or_create(league=league, bot=bot)
        if taken_out is not None:
            league_exclusion_add(membership, ExclusionAct.IN, by=by, reason=reason)
        Membership.objects.filter(pk=membership.pk).update(state=MembershipState.ACTIVE)
        season = Season.objects.filter(league=league, state=SeasonState.RUNNING).first()
        if season is not None:
            _check_version(season, membership)
            season_entries_sync(season_id=season.pk)
        league_announce_later(league.pk)
    membership.refresh_from_db()
    return membership


def league_bots_join(*, league: League, bots: Sequence[Bot], by: AbstractUser, reason: str = "") -> list[Membership]:
    """Enter several bots, all or none. Raises the errors of ``league_bot_join``."""
    with transaction.atomic():
        return [league_bot_join(league=league, bot=bot, by=by, reason=reason) for bot in bots]


def league_bot_leave(*, membership: Membership, by: AbstractUser, reason: str = "") -> Membership:
    """Remove one's own bot from a league, or as the organiser any bot. Its results stay valid.

    If the author removes the bot, its queued matches are still played, so that authors cannot cancel matches that they
    do not like. If the organiser removes the bot, its queued matches are cancelled. The bot is then excluded until it
    is readmitted, unless it is a house bot. The ``reason`` for this is public.

    Raises:
        JoinRefused: the bot is somebody else's, it has left or was excluded already, or there is no reason.
    """
    bot = membership.bot
    own = acts_for_owner(by, bot.owner_id)
    if not own and not may_run_league(by, membership.league):
        raise JoinRefused("not_yours", _("Only its author or the organiser can take %(bot)s out.") % {"bot": bot.name})
    is_lasting = not own and not bot.is_house
    if is_lasting and not reason.strip():
        raise JoinRefused(
            "reason",
            _("Say why %(bot)s is taken out. Everybody can read it, including its author.") % {"bot": bot.name},
        )
    with transaction.atomic():
        League.objects.select_for_update().get(pk=membership.league_id)
        is_out = league_exclusion_of(membership.league, bot) is not None
        left = _leave(membership, call_off=not own)
        if is_out or not (left or is_lasting):
            raise JoinRefused("left", _("%(bot)s has left the league already.") % {"bot": bot.name})
        if is_lasting:
            league_exclusion_add(membership, ExclusionAct.OUT, by=by, reason=reason)
            league_announce_later(membership.league_id)
    membership.refresh_from_db()
    return membership


def league_exclusion_add(membership: Membership, act: ExclusionAct, *, by: AbstractUser, reason: str) -> None:
    """Add an entry to the public log of exclusions of the league."""
    runs = ExclusionBy.ORGANISER if membership.league.organiser_id == by.pk else ExclusionBy.STAFF
    Exclusion.objects.create(membership=membership, act=act, by=runs, reason=" ".join(reason.split())[:REASON_MOST])


def league_deleted_bots_leave() -> int:
    """Remove deleted bots from their leagues, and deleted versions from the ladders of running seasons.

    They forfeit the matches that have not begun. Return how many were removed.
    """
    gone = Membership.objects.filter(bot__deleted_at__isnull=False, state=MembershipState.ACTIVE)
    left = sum(_leave(membership) for membership in gone)
    deleted = SeasonEntry.objects.filter(
        season__state=SeasonState.RUNNING, state__in=STANDING, version__state=VersionState.DELETED
    )
    for entry in deleted:
        with transaction.atomic():
            Season.objects.select_for_update().get(pk=entry.season_id)
            left += season_entry_stand_down(entry, SeasonEntryState.LEFT)
    gone_seats = MatchSeat.objects.filter(version__state=VersionState.DELETED)
    match_seats_forfeit(seats=gone_seats.filter(match__league_match__season__state=SeasonState.RUNNING))
    return left


def league_outsiders_leave(*, group: Group | None = None) -> int:
    """Remove bots from leagues of a group if their authors are not members of the group. Return how many left.

    The queued matches of these bots are still played. Without ``group``, the leagues of all groups are checked.
    """
    members = Membership.objects.filter(audience_outsiders("league__", "bot__owner"), state=MembershipState.ACTIVE)
    if group is not None:
        members = members.filter(league__group=group)
    return sum(_leave(membership) for membership in members)


def _leave(membership: Membership, *, call_off: bool = False) -> bool:
    """Take the bot off the ladder. Return False if it had left already."""
    with transaction.atomic():
        # While these rows are locked, no season begins and no version replaces the bot's entry.
        League.objects.select_for_update().get(pk=membership.league_id)
        running = Season.objects.filter(league=membership.league_id, state=SeasonState.RUNNING)
        season = running.select_for_update().first()
        left = Membership.objects.filter(pk=membership.pk, state=MembershipState.ACTIVE).update(
            state=MembershipState.LEFT
        )
        if not left:
            return False
        for entry in SeasonEntry.objects.filter(membership=membership, season=season, state__in=STANDING):
            season_entry_stand_down(entry, SeasonEntryState.LEFT)
            if call_off:
                season_entry_matches_cancel(entry)
        league_announce_later(membership.league_id)
    return True


def _check_bot(league: League, bot: Bot, by: AbstractUser, taken_out: Exclusion | None) -> None:
    named = {"bot": bot.name}
    if league.state != LeagueState.OPEN:
        raise JoinRefused("closed", _("The league is not open: no bot can join."))
    if taken_out is not None and not may_lift_league_exclusion(by, league, taken_out):
        sentence = _("%(bot)s was taken out of this league: “%(reason)s”. It plays again when it is let in again.")
        raise JoinRefused("taken_out", sentence % (named | {"reason": taken_out.reason}))
    if not acts_for_owner(by, bot.owner_id) and not ((bot.is_house or taken_out) and may_run_league(by, league)):
        raise JoinRefused("not_yours", _("%(bot)s is not yours: only its author can let it join.") % named)
    if refusal := audience_refusal(league, bot):
        raise JoinRefused(*refusal)
    if bot.game != league.game:
        raise JoinRefused("other_game", _("%(bot)s plays another game than this league.") % named)
    if bot.current is None or bot.current.state != VersionState.ACCEPTED:
        sentence = _("%(bot)s has no accepted version yet: upload one, and let it join once it has passed its check.")
        raise JoinRefused("no_version", sentence % named)


def _check_copy(league: League, bot: Bot) -> None:
    season = Season.objects.filter(league=league, state=SeasonState.RUNNING).first()
    other = season_copies_of(bot.current, league, season).select_related("bot").first() if bot.current else None
    if other is not None:
        sentence = _("%(bot)s is the same program as your %(other)s: each program plays once in a season.")
        raise JoinRefused("copy", sentence % {"bot": bot.name, "other": other.bot.name})


def _check_version(season: Season, membership: Membership) -> None:
    bot = membership.bot
    if season_entries_benched(season, bot.pk).filter(version=bot.current_id).exists():
        sentence = _(
            "Version %(number)d of %(bot)s was benched in this season: make another version current, or join when the"
            " next season has begun."
        )
        raise JoinRefused("benched", sentence % {"bot": bot.name, "number": bot.current.number if bot.current else 0})
    last = last_season_entry_of(season, membership)
    if last is None or season.switches or last.version_id == membership.bot.current_id:
        return
    sentence = _(
        "In the last tenth of a season no bot changes its version: %(bot)s can come back with version %(number)d,"
        " or join when the next season has begun."
    )
    raise JoinRefused("late", sentence % {"bot": membership.bot.name, "number": last.version.number})


def _check_room(league: League, bot: Bot) -> None:
    members = Membership.objects.filter(league=league, state=MembershipState.ACTIVE)
    if members.filter(bot=bot).exists():
        raise JoinRefused("already", _("%(bot)s is in the league already.") % {"bot": bot.name})
    own = members.filter(bot__owner=bot.owner_id, bot__is_house=False)
    if not bot.is_house and (sentence := league_limit_reached(league, own.count())):
        raise JoinRefused("limit", sentence)
    if members.count() >= MAX_BOTS:
        raise JoinRefused("full", _("The league is full: it takes %(most)d bots.") % {"most": MAX_BOTS})


def _check_team(league: League, bot: Bot) -> None:
    most = league.team_size
    if most is not None and is_team_larger_than(bot.owner_id, most):
        sentence = ngettext(
            "A team has at most %(most)d person in this league.",
            "A team has at most %(most)d people in this league.",
            most,
        )
        raise JoinRefused("team_size", sentence % {"most": most})
