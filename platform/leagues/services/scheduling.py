"""The scheduler of league matches. It keeps a few matches of each league queued, chosen for their information."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from django.db import transaction
from django.db.models import F, QuerySet

from bots.models import BotVersion
from games.contest_luck import contest_luck_lot
from games.dealer import block_seed
from leagues.models import League, LeagueMatch, LeagueState, MembershipState, Season, SeasonEntry, SeasonState
from leagues.models.season import SEASON
from leagues.pairing import Choice, league_tables_choose
from leagues.selectors.entry_ratings import rated_season_candidates_of
from leagues.selectors.matches import recent_season_matches
from leagues.services.leagues import league_announce_later
from matches.models import Match, MatchState
from matches.queue.worker_status import workers_slots_up
from matches.services import MatchTerms, PlannedMatch, matches_create
from matches.visibility import visibility_audience
from web.visits import visit_is_recent

WAITING_PER_WORKER: Final = 2
RECENT_MATCHES_EACH: Final = 3  # how many matches for each entry count as recent


def season_schedule(*, season_id: int) -> int:
    """Queue as many matches as a running season lacks. Return their number.

    The target is the number of matches that the workers will take soon. Other queued matches do not matter, because the
    leagues of an organiser have their own share of the workers. Matches are written only if the number of scheduled
    matches is still the one that was read. So only one of several concurrent callers writes.
    """
    season = Season.objects.select_related("league").get(pk=season_id)
    if not season.is_running or season.league.state != LeagueState.OPEN or season.league.paused_at:
        return 0
    wanted = _matches_wanted(season)
    if wanted < 1 or _needs_no_matches(season.league):
        return 0
    choices = _choices(season, wanted)
    return len(choices) if choices and _write(season, choices) else 0


def _needs_no_matches(league: League) -> bool:
    """Return whether no matches are needed: only house bots are in the league, and nobody has visited recently."""
    members = league.memberships.filter(state=MembershipState.ACTIVE)
    return not members.filter(bot__is_house=False).exists() and not visit_is_recent()


def league_charged_account(league: League) -> str:
    """Return the account to which the workers' time for the league's matches is charged.

    All leagues of an organiser share one account, so creating more leagues gains nothing.
    """
    return f"leagues.{league.organiser_id}"


def _matches_wanted(season: Season) -> int:
    workers = workers_slots_up()
    if not workers:
        return 0
    running = _seasons_playing().count() or 1  # the league may have been paused or closed meanwhile
    playing = Match.objects.filter(state=MatchState.RUNNING, league_match__isnull=False).count()
    room = max(WAITING_PER_WORKER * workers, playing)
    queued = Match.objects.filter(league_match__season=season, state=MatchState.QUEUED).count()
    return -(-room // running) - queued


def _seasons_playing() -> QuerySet[Season]:
    """Return the seasons for which matches are chosen."""
    return Season.objects.filter(state=SeasonState.RUNNING, league__state=LeagueState.OPEN, league__paused_at=None)


def _choices(season: Season, count: int) -> list[Choice]:
    league = season.league
    candidates = rated_season_candidates_of(season)
    return league_tables_choose(
        candidates,
        seats=league.players_per_table,
        count=count,
        games=league.blocks * league.players_per_table,
        recent=recent_season_matches(season, matches=RECENT_MATCHES_EACH * len(candidates)),
        lot=partial(_table_lot, season),
    )


def _table_lot(season: Season, place: int, entry: int) -> bytes:
    return contest_luck_lot(bytes(season.secret), f"table/{season.scheduled + place + 1}", entry)


def _write(season: Season, choices: Sequence[Choice]) -> bool:
    """Create the matches. Return False, and create none, if another scheduler was first, or the league was paused."""
    first = season.scheduled + 1
    with transaction.atomic():
        # The lock prevents that the audience of the league changes before the new matches have got it.
        league = season.league = League.objects.select_for_update().get(pk=season.league_id)
        if league.state != LeagueState.OPEN or league.paused_at is not None:
            return False
        ours = Season.objects.filter(pk=season.pk, state=SeasonState.RUNNING, scheduled=season.scheduled)
        if not ours.update(scheduled=F("scheduled") + len(choices)):
            return False
        versions = _versions(choices)
        matches = matches_create(
            terms=scheduled_match_terms_of(season),
            pairings=[
                PlannedMatch([versions[one] for one in choice.seating], scheduled_match_secret(season, number))
                for number, choice in enumerate(choices, start=first)
            ],
        )
        LeagueMatch.objects.bulk_create(
            LeagueMatch(season=season, number=number, match=match, reasons=choice.write())
            for number, (match, choice) in enumerate(zip(matches, choices, strict=True), start=first)
        )
        league_announce_later(league.pk)
    return True


def scheduled_match_terms_of(season: Season) -> MatchTerms:
    """Return the terms of the matches of a season. They are those of its league."""
    league = season.league
    return MatchTerms(
        ruleset=league.ruleset,
        options=league.options,
        limits=league.limits,
        blocks=league.blocks,
        min_action_ms=league.min_action_ms,
        organiser_id=league.organiser_id,
        contest=SEASON.numbered(season.pk),
        account=league_charged_account(league),
        luck_value=season.luck_value,
        **visibility_audience(league),
    )


def _versions(choices: Sequence[Choice]) -> dict[int, BotVersion]:
    ids = {entry for choice in choices for entry in choice.seating}
    entries = SeasonEntry.objects.filter(pk__in=ids).select_related("version")
    return {one.pk: one.version for one in entries}


def scheduled_match_secret(season: Season, number: int) -> bytes:
    """Return the secret of match ``number``, derived from the secret of the season."""
    return block_seed(bytes(season.secret), "match", number)
