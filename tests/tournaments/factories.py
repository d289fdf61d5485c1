"""Builders: a tournament in any state, its entries, and matches that end as the test says."""

from collections.abc import Callable, Sequence
from typing import Any

import factory
from django.db import connection
from django.db.models import F
from django.utils import timezone
from factory.django import DjangoModelFactory

from games.protocol import Limits
from matches.models import Match, MatchState, Seat
from tests.arena.factories import OrganiserFactory, UserFactory
from tests.bots.factories import BotFactory, BotVersionFactory, bots_of
from tournaments.models import Entry, Luck, Stage, Tournament, TournamentState
from tournaments.selectors.entering.entry_versions import entry_by_version
from tournaments.services import (
    tournament_advance,
    tournament_cancel,
    tournament_lock,
    tournament_pause,
    tournament_start,
)

STAGE_FIELDS = ("format", "rounds", "players_per_table", "smallest_table", "blocks", "has_third_place")
SECRET = bytes(range(32))  # of every tournament that is not given another
Judge = Callable[[Sequence[int]], Sequence[float]]  # scores of the entries at a table, in seat order


class TournamentFactory(DjangoModelFactory[Tournament]):
    """Open for entries, of one stage; ``TournamentFactory(state="draft")``, ``(entries=4)``, ``(format="swiss",
    rounds=3)``."""

    class Meta:
        model = Tournament
        skip_postgeneration_save = True

    name = factory.Sequence(lambda n: f"Cup {n}")
    slug = factory.Sequence(lambda n: f"cup-{n}")
    organiser = factory.SubFactory(OrganiserFactory)
    ruleset = "pickomino/1"
    options = factory.LazyFunction(dict)
    limits = factory.LazyFunction(lambda: Limits().to_dict())
    tie_breaks = ["wins", "direct_encounter", "sonneborn_berger", "margin", "lot"]
    state = TournamentState.OPEN

    @classmethod
    def _create(cls, model_class: type[Tournament], *args: Any, **fields: Any) -> Tournament:
        stage = {name: fields.pop(name) for name in STAGE_FIELDS if name in fields}
        secret = fields.pop("secret", SECRET)
        tournament = super()._create(model_class, *args, **fields)
        Luck.objects.create(tournament=tournament, secret=secret)
        Stage.objects.create(tournament=tournament, **{"blocks": 1, **stage})
        return tournament

    @factory.post_generation
    def entries(self: Tournament, create: bool, extracted: int | None, **_kwargs: Any) -> None:
        if create and extracted:
            bots = bots_of(UserFactory.build_batch(extracted))
            Entry.objects.bulk_create(Entry(tournament=self, bot=bot) for bot in bots)


class EntryFactory(DjangoModelFactory[Entry]):
    """A bot with an accepted version; ``EntryFactory(tournament=cup, owner=user)``."""

    class Meta:
        model = Entry

    class Params:
        owner = factory.SubFactory(UserFactory)

    tournament = factory.SubFactory(TournamentFactory)
    bot = factory.LazyAttribute(lambda entry: bot_of(entry.owner))


def bot_of(owner: Any, **fields: Any) -> Any:
    """A bot with one accepted, current version."""
    return BotVersionFactory(bot=BotFactory(owner=owner, **fields)).bot


def running_tournament(entries: int = 4, **fields: Any) -> Tournament:
    """Started, its matches queued."""
    return tournament_start(tournament=TournamentFactory(entries=entries, **fields))


def finish_match(match: Match, scores: Sequence[float], game_points: Sequence[int] | None = None) -> Match:
    """Give ``match`` a result as a worker would, notifying only the pages of its tournament."""
    _finish([(match, scores, game_points or [round(4 * score) for score in scores])])
    return match


def _finish(results: Sequence[tuple[Match, Sequence[float], Sequence[int]]]) -> None:
    """Write matches with their scores and points of the game, in seat order."""
    scored = [
        (score, own, int(score), seat.pk)
        for match, scores, points in results
        for seat, score, own in zip(match.seats.all(), scores, points, strict=True)
    ]
    with connection.cursor() as cursor:  # one statement, which Django writes once
        table = Seat._meta.db_table
        cursor.executemany(f"UPDATE {table} SET score = %s, points = %s, wins = %s WHERE id = %s", scored)
    now = timezone.now()
    for match, *_ in results:
        match.state, match.finished_at, match.lease_expires_at = MatchState.FINISHED, now, None
        match.blocks_played = match.blocks
    ended = [match.pk for match, *_ in results]
    Match.objects.filter(pk__in=ended).update(
        state=MatchState.FINISHED, finished_at=now, lease_expires_at=None, blocks_played=F("blocks")
    )
    Tournament.objects.filter(rounds__fixtures__match__in=ended).update(revision=F("revision") + len(ended))


def stronger_wins(entries: Sequence[int]) -> list[float]:
    """The entry with the higher number beats everyone: shares of one game."""
    return [sum(other < entry for other in entries) / (len(entries) - 1) for entry in entries]


def finish_matches(tournament: Tournament, judge: Judge = stronger_wins, most: int | None = None) -> list[int]:
    """End the tournament's open matches (at most ``most``); their ids."""
    entry_of = entry_by_version(tournament)
    fixtures = tournament.fixtures.exclude(match__state=MatchState.FINISHED).select_related("match", "round__stage")
    results = []
    for fixture in fixtures.prefetch_related("match__seats")[:most]:
        shares = judge([entry_of[seat.version_id] for seat in fixture.match.seats.all()])
        games = fixture.match.blocks * fixture.round.stage.players_per_table
        scores = [share * games for share in shares]
        results.append((fixture.match, scores, [round(4 * score) for score in scores]))
    if results:
        _finish(results)
    return [match.pk for match, *_ in results]


def in_state(state: TournamentState) -> Tournament:
    """A tournament that came into ``state`` by its own moves."""
    if state in (TournamentState.DRAFT, TournamentState.OPEN):
        return TournamentFactory(state=state, entries=3)
    if state == TournamentState.LOCKED:
        return tournament_lock(tournament=TournamentFactory(entries=3))
    cup = running_tournament(3)
    if state == TournamentState.PAUSED:
        tournament_pause(tournament=cup)
    elif state == TournamentState.CANCELLED:
        tournament_cancel(tournament=cup)
    elif state == TournamentState.FINISHED:
        finish_matches(cup)
        assert tournament_advance(tournament_id=cup.pk)
    cup.refresh_from_db()
    assert cup.state == state
    return cup
