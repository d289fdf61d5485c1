"""Demo tournaments: quick ones, so that there are results at once, and one that is broadcast."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from arena.accounts.models import User
from bots.models import Bot
from games.catalogue import GAMES
from games.game import Cup, HouseBot
from matches.airing.services import premiere_move
from matches.models import Match
from tournaments.formats.registry import FIRST_OFFERED
from tournaments.models import Tournament, TournamentState
from tournaments.services import StagePlan, entry_create, tournament_create, tournament_open, tournament_start

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
        tournament = _create(cup, organiser)
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


def _create(cup: Cup, organiser: User) -> Tournament:
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
