"""Finished matches of house bots, and their pages as the test client gets them."""

import html
import random
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.catalogue import GAMES, current
from games.record import Record
from games.table import Table
from luck import luck_value_of
from matches.analysis.services import analysis_make, analysis_request
from matches.models import Game, Match, MatchState, Seat
from matches.pages.player import LUCK_DIGITS
from matches.queue.claims import claim_account_for
from tests.bots.factories import BotFactory, BotVersionFactory
from tests.matches.replay.frozen import Answers

NAMES: Final = ("Fat Crow", "Wise Owl", "Early Bird", "Sage Hen", "Magpie", "Night Heron", "Wagtail")
STORED_HEADERS: Final = ("Content-Type", "Content-Security-Policy", "Content-Language", "Cache-Control")
CATALOGUE: Final = re.compile(r'src="([^"]*/jsi18n/[^"]*)"')
OPTIONS: Final[Mapping[tuple[str, int], dict[str, object]]] = {("karteneck", 6): {"max_players": 6}}


@cache
def house_record(game: str, players: int) -> Record:
    """A game of the house bots that ship with ``game``, in turn at the seats."""
    random.seed(0)
    bots = [bot.act() for bot in GAMES[game].house_bots]
    rules = current(game)
    table = Table(
        rules, players, rules.validate(players, OPTIONS.get((game, players), {})), players.to_bytes(16, "big")
    )
    while not table.over:
        table.play(bots[table.actor % len(bots)](table.view(table.actor)))
    return table.record()


def house_match(game: str, players: int) -> Match:
    """A finished match of that one game."""
    record = house_record(game, players)
    outcome = record.verify()
    match = Match.objects.create(
        ruleset=record.ruleset,
        luck_value=luck_value_of(record.ruleset),
        options=dict(record.options),
        secret=b"s" * 32,
        account=claim_account_for("nobody", paced=False),
        state=MatchState.FINISHED,
        attempt=1,
        started_at=timezone.now(),
        finished_at=timezone.now(),
        duration_ms=1234,
    )
    for index, name in zip(range(players), NAMES, strict=False):
        version = BotVersionFactory(bot=BotFactory(name=name, slug=f"{game}-{players}-{index}", game=game))
        place = outcome.places[index]
        Seat.objects.create(
            match=match, index=index, version=version, points=outcome.points[index], places=[place], wins=place == 1
        )
    Game.objects.create(
        match=match,
        attempt=1,
        index=0,
        record=record.encode(),
        points=list(outcome.points),
        places=list(outcome.places),
        reason=outcome.reason,
        tie_break=outcome.tie_break,
    )
    return match


def fetched(matches: Sequence[tuple[str, int]], languages: Sequence[str]) -> tuple[dict[tuple[str, int], str], Answers]:
    """The path of each match's page, and all that these pages ask for."""
    answers: Answers = {}

    def fetch(path: str, languages: Sequence[str] = ("en",), query: str = "") -> str:
        for language in languages:
            response = Client().get(path + query, headers={"accept-language": language})
            assert response.status_code == 200, f"{path}: {response.status_code}"
            headers = {name: response[name] for name in STORED_HEADERS if name in response}
            answers[path, language] = response.content, headers
        return path

    paths = {}
    for game, players in matches:
        match = house_match(game, players)
        paths[game, players] = fetch(reverse("matches:detail", args=[match.pk]), languages)
        fetch(reverse("matches:embed", args=[match.pk]))
        fetch(reverse("matches:game-frames", args=[match.pk, 0]))
        fetch(reverse("matches:cells", args=[match.pk]))
        if value := luck_value_of(match.ruleset):
            analysis = analysis_request(game=match.games.get(), value=value, user_id=None)
            analysis_make(analysis_id=analysis.pk)
            fetch(reverse("matches:game-luck", args=[match.pk, 0]), query=f"?digits={LUCK_DIGITS}")
    catalogues = {found for page, _ in answers.values() for found in CATALOGUE.findall(page.decode(errors="ignore"))}
    for address in sorted(catalogues):
        fetch(html.unescape(address), [address.partition("?")[2][:2]])
    return paths, answers
