"""Bots join a league and leave it; their versions follow by themselves."""

from collections.abc import Sequence
from typing import Any, Final

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from bots.models import Bot, BotVersion, VersionState
from leagues.errors import JoinRefused
from leagues.models import (
    STANDING,
    League,
    LeagueState,
    Membership,
    MembershipState,
    Season,
    SeasonEntry,
    SeasonEntryState,
    SeasonState,
)
from leagues.permissions import may_run
from leagues.priors import NEWCOMER, starting_prior, starting_priors
from leagues.selectors.standing import entries_benched
from leagues.selectors.visible import limit_reached
from leagues.services.announcing import announce_later
from matches.models import Match, MatchState
from matches.models import Seat as MatchSeat
from matches.services import match_cancel, seats_bar

MAX_BOTS: Final = 10_000
BATCH: Final = 1000  # rows written at once


def bot_join(*, league: League, bot: Bot, by: AbstractUser) -> Membership:
    """Enter a bot of one's own, or, as the organiser, a house bot, for good: it plays with whatever version is current.
    One that left may come back.

    Raises:
        JoinRefused: the league is not open, somebody else's bot, another game, no accepted version, already in, too
            many of the author, full, back with another version in the last tenth of a season, or with a benched one.
    """
    with transaction.atomic():
        league = League.objects.select_for_update().get(pk=league.pk)
        _check_bot(league, bot, by)
        _check_room(league, bot)
        membership, _created = Membership.objects.get_or_create(league=league, bot=bot)
        Membership.objects.filter(pk=membership.pk).update(state=MembershipState.ACTIVE)
        season = Season.objects.filter(league=league, state=SeasonState.RUNNING).first()
        if season is not None:
            _check_version(season, membership)
            season_entries_sync(season_id=season.pk)
        announce_later(league.pk)
    membership.refresh_from_db()
    return membership


def bot_leave(*, membership: Membership, by: AbstractUser) -> Membership:
    """Take a bot out: one's own, or any as the organiser. Its results stand. What its author leaves unplayed is played
    all the same: nobody calls off a match that they do not like. What the organiser takes out is called off.

    Raises:
        JoinRefused: somebody else's bot, or it has left already.
    """
    named = {"bot": membership.bot.name}
    if membership.bot.owner_id != by.pk and not may_run(by, membership.league):
        raise JoinRefused("not_yours", _("Only its author or the organiser can take %(bot)s out.") % named)
    if not _leave(membership, call_off=membership.bot.owner_id != by.pk):
        raise JoinRefused("left", _("%(bot)s has left the league already.") % named)
    membership.refresh_from_db()
    return membership


def deleted_leave() -> int:
    """Take every bot that its author has deleted out of its leagues, and every deleted version from the ladder of a
    running season; what they had still to begin they forfeit. Return how many left."""
    gone = Membership.objects.filter(bot__deleted_at__isnull=False, state=MembershipState.ACTIVE)
    left = sum(_leave(membership) for membership in gone)
    deleted = SeasonEntry.objects.filter(
        season__state=SeasonState.RUNNING, state__in=STANDING, version__state=VersionState.DELETED
    )
    for entry in deleted:
        with transaction.atomic():
            Season.objects.select_for_update().get(pk=entry.season_id)
            left += stand_down(entry, SeasonEntryState.LEFT)
    gone_seats = MatchSeat.objects.filter(version__state=VersionState.DELETED)
    seats_bar(seats=gone_seats.filter(match__league_match__season__state=SeasonState.RUNNING))
    return left


def _leave(membership: Membership, *, call_off: bool = False) -> bool:
    """Take the bot off the ladder; False if it had left already."""
    with transaction.atomic():
        # As long as these are held no season begins, and no version takes the bot's place.
        League.objects.select_for_update().get(pk=membership.league_id)
        running = Season.objects.filter(league=membership.league_id, state=SeasonState.RUNNING)
        season = running.select_for_update().first()
        left = Membership.objects.filter(pk=membership.pk, state=MembershipState.ACTIVE).update(
            state=MembershipState.LEFT
        )
        if not left:
            return False
        for entry in SeasonEntry.objects.filter(membership=membership, season=season, state__in=STANDING):
            stand_down(entry, SeasonEntryState.LEFT)
            if call_off:
                matches_call_off(entry)
        announce_later(membership.league_id)
    return True


def season_entries_sync(*, season_id: int) -> int:
    """Let every member of a running season play with its bot's current version; how many entries began to play.

    A version that was benched plays no more in that season, whoever makes it current again; any other one does. In the
    last tenth of a season nobody changes the version.
    """
    standing = {
        entry.membership_id: entry for entry in SeasonEntry.objects.filter(season=season_id, state__in=STANDING)
    }
    members = Membership.objects.filter(
        league__seasons=season_id, state=MembershipState.ACTIVE, bot__current__state=VersionState.ACCEPTED
    ).select_related("bot__current")
    ahead = [
        member
        for member in members
        if member.pk not in standing or standing[member.pk].version_id != member.bot.current_id
    ]
    changed = _begin(season_id, ahead) if any(member.pk not in standing for member in ahead) else set()
    for member in ahead:
        version = member.bot.current
        assert version is not None  # noqa: S101  the query asked for one
        if member.pk not in changed and _replace(season_id, member, version, standing.get(member.pk)):
            changed.add(member.pk)
    return len(changed)


def _begin(season_id: int, members: Sequence[Membership]) -> set[int]:
    """Let those of ``members`` play who never did in the season, with a constant number of queries for a thousand;
    return which.
    """
    with transaction.atomic():
        season = Season.objects.select_for_update().get(pk=season_id)
        if season.state != SeasonState.RUNNING:
            return set()
        known = set(SeasonEntry.objects.filter(season=season).values_list("membership", flat=True))
        active = Membership.objects.filter(league=season.league_id, state=MembershipState.ACTIVE)
        there = set(active.values_list("pk", flat=True))
        new = [member for member in members if member.pk in there and member.pk not in known]
        if not new:
            return set()
        priors = starting_priors(season)
        entries = (
            SeasonEntry(
                season=season,
                membership=member,
                version_id=member.bot.current_id,  # type: ignore[misc]  # the members were asked for by it
                prior_mean=priors.get(member.pk, NEWCOMER).mean,
                prior_sd=priors.get(member.pk, NEWCOMER).sd,
            )
            for member in new
        )
        SeasonEntry.objects.bulk_create(entries, batch_size=BATCH)
        announce_later(season.league_id)
    return {member.pk for member in new}


def _replace(season_id: int, member: Membership, version: BotVersion, present: SeasonEntry | None) -> bool:
    """Put ``version`` in the place of ``present``; False if somebody else was quicker, or the bot has left."""
    with transaction.atomic():
        season = Season.objects.select_for_update().get(pk=season_id)
        if season.state != SeasonState.RUNNING:
            return False
        if not Membership.objects.filter(pk=member.pk, state=MembershipState.ACTIVE).exists():
            return False
        last = last_version_of(season, member)
        if last is not None and last.version_id != version.pk and not season.switches:
            return False
        if entries_benched(season, member.bot_id).filter(version=version).exists():
            return False
        if present is not None and not stand_down(present, SeasonEntryState.REPLACED):
            return False
        if SeasonEntry.objects.filter(season=season, membership=member, state__in=STANDING).exists():
            return False
        back = SeasonEntry.objects.filter(season=season, version=version)
        if last is not None and last.version_id != version.pk:
            back.update(returned_at=timezone.now(), since=season.scheduled)
        if not back.update(state=SeasonEntryState.PLAYING):
            prior = starting_prior(season, member, present)
            SeasonEntry.objects.create(
                season=season,
                membership=member,
                version=version,
                parent=present,
                prior_mean=prior.mean,
                prior_sd=prior.sd,
            )
        announce_later(season.league_id)
    return True


def last_version_of(season: Season, member: Membership) -> SeasonEntry | None:
    """Return the bot's version that stands on the season's ladder, or that stood there last."""
    found = SeasonEntry.objects.filter(season=season, membership=member)
    return found.order_by(Coalesce("returned_at", "joined_at").desc(), "-pk").first()


def stand_down(entry: SeasonEntry, state: SeasonEntryState, **fields: Any) -> bool:
    """Move an entry from playing, or from the bench, into ``state``; it is drawn no more. Return False if it was in
    ``state`` already, or off the ladder.

    What it was drawn for is played: an author who could have that called off, by leaving or by another version, would
    choose their opponents and drop a match that goes badly between two of its slices.
    """
    going = SeasonEntry.objects.filter(pk=entry.pk, state__in=STANDING).exclude(state=state)
    return bool(going.update(state=state, **fields))


def matches_call_off(entry: SeasonEntry) -> None:
    """Call off the matches of an entry that nobody plays at the moment: not for its author to decide."""
    waiting = Match.objects.filter(
        league_match__season=entry.season_id,
        seats__version=entry.version_id,
        state__in=[MatchState.HELD, MatchState.QUEUED],
    )
    match_cancel(matches=Match.objects.filter(pk__in=list(waiting.values_list("pk", flat=True))))


def _check_bot(league: League, bot: Bot, by: AbstractUser) -> None:
    named = {"bot": bot.name}
    if league.state != LeagueState.OPEN:
        raise JoinRefused("closed", _("The league is not open: no bot can join."))
    if bot.owner_id != by.pk and not (bot.is_house and may_run(by, league)):
        raise JoinRefused("not_yours", _("%(bot)s is not yours: only its author can let it join.") % named)
    if bot.game != league.game:
        raise JoinRefused("other_game", _("%(bot)s plays another game than this league.") % named)
    if bot.current is None or bot.current.state != VersionState.ACCEPTED:
        sentence = _("%(bot)s has no accepted version yet: upload one, and let it join once it has passed its check.")
        raise JoinRefused("no_version", sentence % named)


def _check_version(season: Season, membership: Membership) -> None:
    bot = membership.bot
    if entries_benched(season, bot.pk).filter(version=bot.current_id).exists():
        sentence = _(
            "Version %(number)d of %(bot)s was benched in this season: make another version current, or join when the"
            " next season has begun."
        )
        raise JoinRefused("benched", sentence % {"bot": bot.name, "number": bot.current.number if bot.current else 0})
    last = last_version_of(season, membership)
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
    if not bot.is_house and (sentence := limit_reached(league, bot.owner_id)):
        raise JoinRefused("limit", sentence)
    if members.count() >= MAX_BOTS:
        raise JoinRefused("full", _("The league is full: it takes %(most)d bots.") % {"most": MAX_BOTS})
