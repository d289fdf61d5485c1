"""Builders: a queued match with its seats, one that is being played, one that was really played to its end."""

import json
import re
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import factory
from django.utils import timezone
from factory.django import DjangoModelFactory

from bots.models import BotVersion
from games.catalogue import current
from games.protocol import Limits
from matches.models import Contest, Match, MatchState, Seat
from matches.queue.claims import claim_account_for
from matches.queue.leases import Lease, lease_take
from matches.queue.result_writing import MatchResult, match_result_stored_games, match_results_write
from matches.queue.seat_logs import SeatLogPacker
from matches.referee import GameResult, series_games_play
from matches.worker.playing import worker_playing_order
from tests.bots.factories import BotVersionFactory
from tests.matches.in_process import InProcessCage

GAME = "pickomino"
SECRET = bytes(range(32))
BRISK = (
    b"def act(view):\n    return view['actions'][-1]\n"  # its games are three times as short as with the first action
)
CRASHES = b"def act(view):\n    raise ValueError('no idea')\n"


class MatchFactory(DjangoModelFactory[Match]):
    """Queued, with ``seats=2`` new bots or with the given ``seats=[version, version]``. No task is sent."""

    class Meta:
        model = Match
        skip_postgeneration_save = True

    class Params:
        running = factory.Trait(
            state=MatchState.RUNNING,
            attempt=1,
            worker="elsewhere:1",
            started_at=factory.LazyFunction(timezone.now),
            lease_expires_at=factory.LazyFunction(lambda: timezone.now() + timedelta(seconds=20)),
        )
        of_contest = factory.Trait(
            contest=factory.LazyFunction(lambda: Contest.objects.get_or_create(name="cup.1")[0]),
            on_finished_task="tests.result",
        )

    ruleset = factory.LazyFunction(lambda: current(GAME).id)
    options = factory.LazyFunction(lambda: current(GAME).validate(2, {}))
    limits = factory.LazyFunction(lambda: Limits().to_dict())
    secret = SECRET
    account = factory.LazyFunction(lambda: claim_account_for("nobody", paced=False))

    @factory.post_generation
    def seats(self: Match, create: bool, extracted: Any, **_kwargs: Any) -> None:
        versions = extracted if isinstance(extracted, list | tuple) else _versions(extracted or 2)
        assert create
        Seat.objects.bulk_create(
            Seat(match=self, index=index, version=version) for index, version in enumerate(versions)
        )


class FinishedMatchFactory(MatchFactory):
    """Really played, in this process: its games, records and totals are true. ``seats`` as for a ``MatchFactory``."""

    @factory.post_generation
    def play(self: Match, create: bool, extracted: Any, **_kwargs: Any) -> None:
        lease = leased(self)
        start = time.monotonic()
        games = games_of(self)
        took = round((time.monotonic() - start) * 1000)
        assert written(lease, games, took)
        self.refresh_from_db()


_PLAYED: dict[str, list[GameResult]] = {}
_MARK = re.compile(rb"# ?(version )?\d+\n?$")  # what makes each upload unlike any other


def games_of(match: Match) -> list[GameResult]:
    """The games of a match, really played in this process, where equal orders with equal bots are played once."""
    order = worker_playing_order(match)
    files = [{name: _MARK.sub(b"", content) for name, content in entrant.items()} for entrant in order.entrants]
    options_text = json.dumps(dict(order.options), sort_keys=True)
    terms = replace(order, ruleset=None, options=None, entrants=())  # type: ignore[arg-type]
    alike = repr((order.ruleset.id, options_text, terms, files))
    if alike not in _PLAYED:
        _PLAYED[alike] = list(series_games_play(order, InProcessCage(), lambda index, table: None))
    return _PLAYED[alike]


def leased(match: Match, worker: str = "here:1") -> Lease:
    """The lease of a queued match."""
    (lease,) = lease_take(match_ids=[match.pk], worker=worker)
    return lease


def written(lease: Lease, games: Sequence[GameResult], duration_ms: int = 5) -> bool:
    """Whether what the attempt has played was taken: the result, or a slice of it."""
    match = Match.objects.get(pk=lease.match_id)
    logs = [SeatLogPacker() for _ in games[0].logs] if games else []
    for game in games:
        for packer, log in zip(logs, game.logs, strict=True):
            packer.note(game.index, log)
    played = MatchResult(
        lease, match, games, duration_ms, match_result_stored_games(match) if lease.blocks_stored else [], logs
    )
    return bool(match_results_write([played], worker_speed=1000.0))


def _versions(count: int) -> list[BotVersion]:
    return [BotVersionFactory(source=BRISK) for _ in range(count)]
