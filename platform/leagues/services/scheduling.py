"""The scheduler: a few matches of each league wait for the workers, always those that teach most as things stand."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from django.db import transaction
from django.db.models import F, QuerySet

from bots.models import BotVersion
from games.dealer import block_seed
from games.luck import lot
from leagues.models import League, LeagueMatch, LeagueState, MembershipState, Season, SeasonEntry, SeasonState
from leagues.models.season import SEASON
from leagues.pairing import Choice, tables_choose
from leagues.selectors.candidates import candidates_of, recent_season_matches
from leagues.services.leagues import announce_later
from matches.models import Match, MatchState
from matches.queue.worker_status import slots_up
from matches.services import MatchTerms, PlannedMatch, matches_create
from matches.visibility import match_audience
from web.visits import is_visited

WAITING_PER_WORKER: Final = 2
RECENT_MATCHES_EACH: Final = 3  # how many matches for each entry count as recent


def season_schedule(*, season_id: int) -> int:
    """Queue what a running season lacks; how many matches that were.

    As many wait as the workers are about to take, whatever else waits: its organiser's leagues have a share of them.
    Of several callers at once one schedules: the number of matches so far is part of the condition.
    """
    season = Season.objects.select_related("league").get(pk=season_id)
    if not season.is_running or season.league.state != LeagueState.OPEN or season.league.paused_at:
        return 0
    wanted = _wanted(season)
    if wanted < 1 or _rests(season.league):
        return 0
    choices = _choices(season, wanted)
    return len(choices) if choices and _write(season, choices) else 0


def _rests(league: League) -> bool:
    """Tell whether nobody would miss a match: only house bots are in it, and nobody has visited the site recently."""
    members = league.memberships.filter(state=MembershipState.ACTIVE)
    return not members.filter(bot__is_house=False).exists() and not is_visited()


def account_of(league: League) -> str:
    """Return whose matches those of ``league`` are, among all that wait for workers: all leagues of one organiser have
    one share together, so creating more of them gains nothing.
    """
    return f"leagues.{league.organiser_id}"


def _wanted(season: Season) -> int:
    workers = slots_up()
    if not workers:
        return 0
    running = _playing().count() or 1  # it may have been paused or closed just now
    playing = Match.objects.filter(state=MatchState.RUNNING, league_match__isnull=False).count()
    room = max(WAITING_PER_WORKER * workers, playing)
    queued = Match.objects.filter(league_match__season=season, state=MatchState.QUEUED).count()
    return -(-room // running) - queued


def _playing() -> QuerySet[Season]:
    """Return the seasons for which matches are chosen."""
    return Season.objects.filter(state=SeasonState.RUNNING, league__state=LeagueState.OPEN, league__paused_at=None)


def _choices(season: Season, count: int) -> list[Choice]:
    league = season.league
    candidates = candidates_of(season)
    return tables_choose(
        candidates,
        seats=league.players_per_table,
        count=count,
        games=league.blocks * league.players_per_table,
        recent=recent_season_matches(season, matches=RECENT_MATCHES_EACH * len(candidates)),
        lot=partial(_lot, season),
    )


def _lot(season: Season, place: int, entry: int) -> bytes:
    return lot(bytes(season.secret), f"table/{season.scheduled + place + 1}", entry)


def _write(season: Season, choices: Sequence[Choice]) -> bool:
    """Return the matches, or nothing and False if another scheduler was first."""
    league, first = season.league, season.scheduled + 1
    with transaction.atomic():
        ours = _playing().filter(pk=season.pk, scheduled=season.scheduled)
        taken = ours.update(scheduled=F("scheduled") + len(choices))
        if not taken:
            return False
        versions = _versions(choices)
        matches = matches_create(
            terms=match_terms_of(season),
            pairings=[
                PlannedMatch([versions[one] for one in choice.seating], match_secret(season, number))
                for number, choice in enumerate(choices, start=first)
            ],
        )
        LeagueMatch.objects.bulk_create(
            LeagueMatch(season=season, number=number, match=match, reasons=choice.write())
            for number, (match, choice) in enumerate(zip(matches, choices, strict=True), start=first)
        )
        announce_later(league.pk)
    return True


def match_terms_of(season: Season) -> MatchTerms:
    """Return the terms of the matches of a season, by its league."""
    league = season.league
    return MatchTerms(
        ruleset=league.ruleset,
        options=league.options,
        limits=league.limits,
        blocks=league.blocks,
        min_action_ms=league.min_action_ms,
        organiser_id=league.organiser_id,
        contest=SEASON.numbered(season.pk),
        account=account_of(league),
        luck_value=season.luck_value,
        **match_audience(league),
    )


def _versions(choices: Sequence[Choice]) -> dict[int, BotVersion]:
    ids = {entry for choice in choices for entry in choice.seating}
    entries = SeasonEntry.objects.filter(pk__in=ids).select_related("version")
    return {one.pk: one.version for one in entries}


def match_secret(season: Season, number: int) -> bytes:
    """Return the secret of the season's match ``number``: it follows from the secret of the season."""
    return block_seed(bytes(season.secret), "match", number)
