"""Builders: a league with a season, its bots, and matches that end as their strengths say, without a worker."""

import json
import random
from collections.abc import Mapping, Sequence
from datetime import timedelta
from math import exp
from types import MappingProxyType
from typing import Any, Final

import factory
from django.db import connection
from django.utils import timezone
from factory.django import DjangoModelFactory

from bots.models import Bot
from games.protocol import Limits
from leagues.models import League, LeagueMatch, Membership, Season, SeasonState
from leagues.services import league_bot_join, league_open
from matches.models import Match, MatchState, Seat, WorkerPresence
from tests.arena.factories import OrganiserFactory
from tests.bots.factories import BotFactory, BotVersionFactory

SCORED: Final = ("places", "score", "wins", "points", "cpu_ms", "slowest_ms", "faulty_games", "has_forfeited")
THROWN: Final = -20.0  # the strength of a bot that loses on purpose


class LeagueFactory(DjangoModelFactory[League]):
    """A draft of Pickomino for two."""

    class Meta:
        model = League

    name = factory.Sequence(lambda n: f"League {n}")
    slug = factory.Sequence(lambda n: f"league-{n}")
    organiser = factory.SubFactory(OrganiserFactory)
    ruleset = "pickomino/1"
    options = factory.LazyFunction(dict)
    limits = factory.LazyFunction(lambda: Limits().to_dict())
    blocks = 1


def open_league(bots: int = 0, **fields: Any) -> League:
    """With its first season running and so many bots in it, each of an author of its own."""
    league = league_open(league=LeagueFactory(**fields))
    for _ in range(bots):
        member_of(league)
    return league


def member_of(league: League, bot: Bot | None = None, **fields: Any) -> Membership:
    """A bot that has joined."""
    bot = bot or BotVersionFactory(bot=BotFactory(game=league.game, **fields)).bot
    return league_bot_join(league=league, bot=bot, by=league.organiser if bot.is_house else bot.owner)


def season_of(league: League) -> Season:
    return Season.objects.get(league=league, state=SeasonState.RUNNING)


def worker_up(name: str = "worker@here", slots: int = 1) -> None:
    """Somebody is there to play so many matches at once, however slow the test."""
    seen = timezone.now() + timedelta(hours=1)
    WorkerPresence.objects.update_or_create(name=name, defaults={"seen_at": seen, "denied": "", "slots": slots})


def play(
    season: Season,
    strengths: Mapping[int, float],
    rng: random.Random,
    *,
    faulty: frozenset[int] = frozenset(),
    servants: Mapping[int, int] = MappingProxyType({}),
) -> list[Match]:
    """End every waiting match of the season as a worker would: places follow Bradley-Terry from the ``strengths`` of
    the bots in logits, games of a block share some luck, bots in ``faulty`` fail in every game, and each of
    ``servants`` loses on purpose to the bot that it serves."""
    waiting = LeagueMatch.objects.filter(season=season, match__state=MatchState.QUEUED).select_related("match")
    waiting = waiting.prefetch_related("match__seats__version").order_by("number")
    matches = [one.match for one in waiting]
    scored = [seat for match in matches for seat in _scored(match, strengths, rng, faulty, servants)]
    with connection.cursor() as cursor:  # one statement, which Django writes once
        text = ", ".join(f"{field} = %s" for field in SCORED)
        values = [[*(getattr(seat, field) for field in SCORED), seat.pk] for seat in scored]
        values = [[json.dumps(places), *others] for places, *others in values]
        cursor.executemany(f"UPDATE {Seat._meta.db_table} SET {text} WHERE id = %s", values)
    for match in matches:
        match.state, match.finished_at, match.lease_expires_at = MatchState.FINISHED, timezone.now(), None
        match.save(update_fields=["state", "finished_at", "lease_expires_at"])
    return matches


def _scored(
    match: Match,
    strengths: Mapping[int, float],
    rng: random.Random,
    faulty: frozenset[int],
    servants: Mapping[int, int],
) -> Sequence[Seat]:
    seats = match.seats.all()
    games = match.blocks * len(seats)
    bots = [seat.version.bot_id for seat in seats]
    shown = [THROWN if servants.get(bot) in bots else strengths[bot] for bot in bots]
    orders = [_order(shown, rng) for _ in range(games)]
    for number, seat in enumerate(seats):
        seat.places = [order.index(number) + 1 for order in orders]
        seat.score = sum((len(seats) - place) / (len(seats) - 1) for place in seat.places)
        seat.wins = seat.places.count(1)
        seat.points, seat.cpu_ms, seat.slowest_ms = seat.wins * 5, 10.0 * games, 5.0 + rng.random()
        seat.has_forfeited = seat.version.bot_id in faulty
        seat.faulty_games = games * seat.has_forfeited
    return seats


def _order(strengths: list[float], rng: random.Random) -> list[int]:
    """Seats from the first place to the last, each drawn from those left in proportion to exp(strength)."""
    left, order = list(range(len(strengths))), []
    while left:
        [first] = rng.choices(left, [exp(strengths[seat]) for seat in left])
        order.append(first)
        left.remove(first)
    return order
