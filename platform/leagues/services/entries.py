"""Keep the entries of the ladder up to date: enter current versions in place of others, and bench failing ones."""

from collections.abc import Sequence
from typing import Any, Final

from django.db import transaction
from django.db.models import Exists, Max, OuterRef
from django.utils import timezone

from bots.models import BotVersion, VersionState
from leagues.divisions import DivisionsFormed
from leagues.hook_events import league_benched_event_publish, league_version_event_publish
from leagues.models import STANDING, Membership, MembershipState, Season, SeasonEntry, SeasonEntryState, SeasonState
from leagues.selectors.fitting import NEWCOMER, season_fit_starting_prior, season_fit_starting_priors
from leagues.selectors.seasons import last_season_entry_of, season_copies_of, season_entries_benched
from leagues.services.leagues import league_announce_later
from matches.models import Match, MatchState
from matches.models import Seat as MatchSeat
from matches.services import match_cancel
from ratings.pair_shares import share_wilson_interval

BATCH: Final = 1000  # rows written at once
FORFEITS_LEAST: Final = 2  # forfeited matches; with fewer, no bot is benched
WINDOW: Final = 50  # only so many of the last matches of a bot count
RATE_ALLOWED: Final = 0.05  # share of matches that a bot may forfeit


def season_entries_sync(*, season_id: int, formed: DivisionsFormed | None = None) -> int:
    """Let every member of a running season play with the current version of its bot. Return how many entries began.

    ``formed`` are the divisions of the season. Members that are not in them begin in the lowest division. A version
    that was benched does not play again in the season, even if it becomes current again. In the last tenth of a season,
    versions are not switched.
    """
    standing = {
        entry.membership_id: entry for entry in SeasonEntry.objects.filter(season=season_id, state__in=STANDING)
    }
    members = Membership.objects.filter(
        league__seasons=season_id, state=MembershipState.ACTIVE, bot__current__state=VersionState.ACCEPTED
    ).select_related("bot__current")
    members = members.order_by("joined_at", "pk")
    ahead = [
        member
        for member in members
        if member.pk not in standing or standing[member.pk].version_id != member.bot.current_id
    ]
    changed = (
        _season_entries_create(season_id, ahead, formed)
        if any(member.pk not in standing for member in ahead)
        else set()
    )
    for member in ahead:
        version = member.bot.current
        assert version is not None  # noqa: S101  the query requires one
        if member.pk not in changed and _replace(season_id, member, version, standing.get(member.pk)):
            changed.add(member.pk)
    return len(changed)


def _season_entries_create(
    season_id: int, members: Sequence[Membership], formed: DivisionsFormed | None = None
) -> set[int]:
    """Enter ``members`` that have never played in the season. Return the ids of those that were entered.

    The number of queries is constant for up to ``BATCH`` members.
    """
    with transaction.atomic():
        season = Season.objects.select_for_update().get(pk=season_id)
        if season.state != SeasonState.RUNNING:
            return set()
        known = set(SeasonEntry.objects.filter(season=season).values_list("membership", flat=True))
        active = Membership.objects.filter(league=season.league_id, state=MembershipState.ACTIVE)
        there = set(active.values_list("pk", flat=True))
        new = [member for member in members if member.pk in there and member.pk not in known]
        new = _originals(season, new)
        if not new:
            return set()
        priors = season_fit_starting_priors(season)
        entries = (
            SeasonEntry(
                season=season,
                membership=member,
                version_id=member.bot.current_id,  # type: ignore[misc]  # the members were selected by it
                prior_mean=priors.get(member.pk, NEWCOMER).mean,
                prior_sd=priors.get(member.pk, NEWCOMER).sd,
                division=formed.division.get(member.pk, season.divisions) if formed else season.divisions,
                division_before=formed.before.get(member.pk) if formed else None,
            )
            for member in new
        )
        SeasonEntry.objects.bulk_create(entries, batch_size=BATCH)
        league_announce_later(season.league_id)
    return {member.pk for member in new}


def _originals(season: Season, members: Sequence[Membership]) -> list[Membership]:
    """Return ``members`` without those whose program another bot of the same author plays in the season.

    Otherwise an author could enter copies, to give the same program several attempts.
    """
    rows = SeasonEntry.objects.filter(season=season, membership__bot__is_house=False)
    played = {
        (owner, key)
        for owner, *keys in rows.values_list("membership__bot__owner", "version__sha256", "version__content_key")
        for key in keys
    }
    found = []
    for member in members:
        bot, version = member.bot, member.bot.current
        keys = {(bot.owner_id, key) for key in (version.sha256, version.content_key) if key} if version else set()
        if bot.is_house or not keys & played:
            found.append(member)
            played |= keys if not bot.is_house else set()
    return found


def _replace(season_id: int, member: Membership, version: BotVersion, present: SeasonEntry | None) -> bool:
    """Replace ``present`` by ``version``.

    Return False if another process was faster, the bot has left, or it may not play.
    """
    with transaction.atomic():
        season = Season.objects.select_for_update().get(pk=season_id)
        if season.state != SeasonState.RUNNING:
            return False
        if not Membership.objects.filter(pk=member.pk, state=MembershipState.ACTIVE).exists():
            return False
        last = last_season_entry_of(season, member)
        if last is not None and last.version_id != version.pk and not season.switches:
            return False
        if season_copies_of(version, season.league, season).exists():
            return False
        if season_entries_benched(season, member.bot_id).filter(version=version).exists():
            return False
        if present is not None and not season_entry_stand_down(present, SeasonEntryState.REPLACED):
            return False
        if SeasonEntry.objects.filter(season=season, membership=member, state__in=STANDING).exists():
            return False
        back = SeasonEntry.objects.filter(season=season, version=version)
        if last is not None and last.version_id != version.pk:
            back.update(returned_at=timezone.now(), since=season.scheduled)
        if not back.update(state=SeasonEntryState.PLAYING):
            prior = season_fit_starting_prior(season, member, present)
            made = SeasonEntry.objects.create(
                season=season,
                membership=member,
                version=version,
                parent=present,
                prior_mean=prior.mean,
                prior_sd=prior.sd,
                division=last.division if last else season.divisions,
                division_before=last.division_before if last else None,
            )
            league_version_event_publish(made)
        league_announce_later(season.league_id)
    return True


def season_entry_stand_down(entry: SeasonEntry, state: SeasonEntryState, **fields: Any) -> bool:
    """Move an entry from playing or benched to ``state``, so that it gets no more matches.

    Return False if the entry was in ``state`` already, or was not on the ladder.

    The queued matches of the entry are still played. If authors could cancel them by leaving or by uploading a version,
    they could choose their opponents. They could also drop a match that goes badly, between two of its slices.
    """
    going = SeasonEntry.objects.filter(pk=entry.pk, state__in=STANDING).exclude(state=state)
    return bool(going.update(state=state, **fields))


def season_entry_matches_cancel(entry: SeasonEntry) -> None:
    """Cancel the queued and held matches of an entry. Not for authors: see ``season_entry_stand_down``."""
    matches = Match.objects.filter(league_match__season=entry.season_id, seats__version=entry.version_id)
    match_cancel(matches=matches, states=[MatchState.HELD, MatchState.QUEUED])


def season_entries_bench(*, season_id: int) -> int:
    """Bench every playing entry of a running season whose bot forfeits too many matches. Return how many were benched.

    The last ``WINDOW`` matches of the bot in the season count, but not those from before the bot was last benched. The
    bot forfeits too many of them if its rate of forfeits is above ``RATE_ALLOWED`` at 95 % confidence. At least one
    must have been forfeited by the version that plays now.
    """
    return sum(_bench(entry) for entry in _suspects(season_id) if _forfeits_too_many(entry))


def _suspects(season_id: int) -> list[SeasonEntry]:
    """Return the playing entries that have forfeited a match."""
    forfeited = MatchSeat.objects.filter(
        version=OuterRef("version"),
        match__league_match__season=season_id,
        match__state=MatchState.FINISHED,
        has_forfeited=True,
    )
    playing = SeasonEntry.objects.filter(Exists(forfeited), season=season_id, state=SeasonEntryState.PLAYING)
    return list(playing.select_related("version__bot", "season__league__group"))


def _forfeits_too_many(entry: SeasonEntry) -> bool:
    bot = entry.version.bot_id
    benched = SeasonEntry.objects.filter(season=entry.season_id, version__bot=bot, benched_at__isnull=False)
    settled = benched.aggregate(last=Max("benched_at"))["last"]
    seats = MatchSeat.objects.filter(
        version__bot=bot, match__league_match__season=entry.season_id, match__state=MatchState.FINISHED
    )
    if settled is not None:
        seats = seats.filter(match__created_at__gt=settled)
    recent = list(seats.order_by("-match__league_match__number").values_list("version", "has_forfeited")[:WINDOW])
    forfeits = sum(forfeited for _version, forfeited in recent)
    own = (entry.version_id, True) in recent
    return (
        own
        and forfeits >= FORFEITS_LEAST
        and share_wilson_interval(forfeits / len(recent), len(recent))[0] > RATE_ALLOWED
    )


def _bench(entry: SeasonEntry) -> bool:
    with transaction.atomic():
        if not Season.objects.select_for_update().get(pk=entry.season_id).is_running:
            return False
        if not season_entry_stand_down(entry, SeasonEntryState.BENCHED, benched_at=timezone.now()):
            return False
        season_entry_matches_cancel(entry)
        league_announce_later(entry.season.league_id)
        league_benched_event_publish(entry)
    return True
