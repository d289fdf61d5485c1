"""Demo tournaments and leagues of house bots.

Tournaments are quick, so that there are results at once; one is broadcast. Leagues climb while somebody looks and rest
once they are settled, or nobody looks. They are paced, so that of two workers at most one plays them."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from arena.accounts.models import User
from bots.models import Bot
from games.catalogue import GAMES
from games.game import Cup, HouseBot
from leagues.models import League, LeagueState, MembershipState
from leagues.services import bot_join, league_create, league_open
from matches.airing.services import premiere_move
from matches.models import Match
from tournaments.formats.registry import FIRST_OFFERED
from tournaments.models import Tournament, TournamentState
from tournaments.services import StagePlan, entry_create, tournament_create, tournament_open, tournament_start
from web.visits import visit_note

OVER: Final = (TournamentState.FINISHED, TournamentState.CANCELLED)


# They begin in this order: the first match of the first is over first, and each game has a replay soon after.
CUPS: Final = tuple(cup for game in GAMES.values() for cup in game.cups)


def cup_ensure(*, cup: Cup, organiser: User, bots: Iterable[Bot]) -> Tournament:
    """Return a tournament of this cup that is under way: the last one unless it is over, else the next in number.

    Those of ``bots`` that the cup names enter it, unless it has begun. May be called again after it was interrupted
    anywhere: it goes on where it stopped.
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
        with transaction.atomic():  # nobody plays before the premiere is set
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
    """What a demo league is like; ``min_action_ms``: brisk enough for it to climb, slow enough to leave the processor
    to others.
    """

    name: str
    ruleset: str
    seats: int
    min_action_ms: int


LADDERS: Final = tuple(
    DemoLadder(one.ladder.name, one.name, one.ladder.seats, 20) for one in GAMES.values() if one.ladder
)


def ladder_ensure(*, ladder: DemoLadder, organiser: User, bots: Iterable[Bot]) -> League:
    """Return the league, open, with ``bots`` in it. May be called again after it was interrupted anywhere."""
    visit_note()  # whoever starts a site is about to look at it
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
        description="The house bots' standing ladder. Let your bot join: its versions will follow by themselves.",
        ruleset=ladder.ruleset,
        players_per_table=ladder.seats,
        blocks=1,
        min_action_ms=ladder.min_action_ms,
    )
