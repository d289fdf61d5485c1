"""Demo tournaments and leagues of house bots.

Tournaments are short, so that there are results at once; one is broadcast. Leagues are played while the site has
visitors, and rest when it has none or when their ratings are settled. Their matches are paced, so that at most one of
two workers plays them."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from arena.accounts.models import User
from bots.models import Bot
from games.catalogue import GAMES
from games.game import CatalogueGame, Cup, HouseBot
from leagues.models import League, LeagueState, MembershipState
from leagues.services import bot_join, league_create, league_open
from matches.airing.services import premiere_move
from matches.models import Match
from series.models import TournamentSeries
from series.services import SeriesRefused, series_add, series_create
from tournaments.formats.registry import FIRST_OFFERED
from tournaments.models import Tournament, TournamentState
from tournaments.services import StagePlan, entry_create, tournament_create, tournament_open, tournament_start
from web.visits import visit_note

OVER: Final = (TournamentState.FINISHED, TournamentState.CANCELLED)


# The cups start in this order, so that the first replays are of the first cup and every game has a replay soon.
CUPS: Final = tuple(cup for game in GAMES.values() for cup in game.cups)


def demo_cup_ensure(*, cup: Cup, organiser: User, bots: Iterable[Bot]) -> Tournament:
    """Return a running tournament of this cup: the last one, or a new one with the next number if that is over.

    Before the start, enter the bots of ``bots`` that the cup names. Idempotent: a repeated call resumes an
    interrupted setup.
    """
    tournament = _latest(cup, organiser)
    if tournament is None or tournament.state in OVER:
        tournament = _cup_create(cup, organiser)
    if tournament.state == TournamentState.DRAFT:
        tournament = tournament_open(tournament=tournament)
    if tournament.state == TournamentState.OPEN:
        wanted = {bot.title for bot in entrants_of(cup)}
        entered = set(tournament.entries.values_list("bot", flat=True))
        for bot in bots:
            if bot.name in wanted and bot.pk not in entered:
                entry_create(tournament=tournament, bot=bot, by=organiser)
        with transaction.atomic():  # no match is played before the premiere is set
            tournament = tournament_start(tournament=tournament)
            if cup.premiere_minutes:
                premiere_move(
                    matches=Match.objects.filter(fixture__round__tournament=tournament),
                    premieres_at=timezone.now() + timedelta(minutes=cup.premiere_minutes),
                )
    return tournament


def entrants_of(cup: Cup) -> list[HouseBot]:
    """Return the house bots that enter a cup."""
    return [bot for bot in GAMES[cup.game].house_bots if not cup.bots or bot.name in cup.bots]


def _latest(cup: Cup, organiser: User) -> Tournament | None:
    return _all(cup, organiser).order_by("-created_at", "-pk").first()


def _all(cup: Cup, organiser: User) -> QuerySet[Tournament]:
    return Tournament.objects.filter(organiser=organiser, name__startswith=cup.name)


def _cup_create(cup: Cup, organiser: User) -> Tournament:
    number = _all(cup, organiser).count() + 1
    return tournament_create(
        organiser=organiser,
        name=cup.name if number == 1 else f"{cup.name} #{number}",
        description=cup.description,
        ruleset=cup.game,
        stages=[
            StagePlan(
                format=cup.format or FIRST_OFFERED, players_per_table=cup.seats, rounds=cup.rounds, blocks=cup.blocks
            )
        ],
        tempo=cup.tempo,
        entrants_most=max(cup.seats, len(entrants_of(cup))),
    )


@dataclass(frozen=True, slots=True)
class DemoLadder:
    """The terms of a demo league. ``min_action_ms`` is low enough for ratings to develop, and high enough to leave CPU
    time for other matches.
    """

    name: str
    ruleset: str
    seats: int
    min_action_ms: int


LADDERS: Final = tuple(
    DemoLadder(one.ladder.name, one.name, one.ladder.seats, 20) for one in GAMES.values() if one.ladder
)


def demo_league_ensure(*, ladder: DemoLadder, organiser: User, bots: Iterable[Bot]) -> League:
    """Return the league, open, with ``bots`` in it. Idempotent: a repeated call resumes an interrupted setup."""
    visit_note()  # the person who starts a site is about to visit it
    own = League.objects.filter(organiser=organiser, name=ladder.name).order_by("pk")
    league = own.first() or _league_create(ladder, organiser)
    if league.state == LeagueState.DRAFT:
        league = league_open(league=league)
    if league.state == LeagueState.OPEN:
        members = set(league.memberships.filter(state=MembershipState.ACTIVE).values_list("bot", flat=True))
        for bot in bots:
            if bot.pk not in members:
                bot_join(league=league, bot=bot, by=organiser)
    return league


def _league_create(ladder: DemoLadder, organiser: User) -> League:
    return league_create(
        organiser=organiser,
        name=ladder.name,
        description="The house bots' standing ladder. Join with your bot: new versions are used automatically.",
        ruleset=ladder.ruleset,
        players_per_table=ladder.seats,
        blocks=1,
        min_action_ms=ladder.min_action_ms,
    )


def demo_series_ensure(*, organiser: User) -> list[TournamentSeries]:
    """Return a series for each game that has cups, with all cups of ``organiser`` that are public and in no series.
    Idempotent; what a series does not take, such as one too many, stays outside."""
    return [_series_of(game, organiser) for game in GAMES.values() if game.cups]


def _series_of(game: CatalogueGame, organiser: User) -> TournamentSeries:
    found = TournamentSeries.objects.filter(organiser=organiser, game=game.name).order_by("pk").first()
    series = found or series_create(
        organiser=organiser,
        name=f"{game.title} Series",
        game=game.name,
        description="Points for the places in each cup of the demo; the three best cups count.",
        best=3,
    )
    cups = Tournament.objects.filter(organiser=organiser, series_event=None, ruleset__startswith=f"{game.name}/")
    for cup in cups.exclude(state__in=(TournamentState.DRAFT, TournamentState.CANCELLED)).order_by("created_at", "pk"):
        with suppress(SeriesRefused):
            series_add(series=series, tournament=cup)
    return series
