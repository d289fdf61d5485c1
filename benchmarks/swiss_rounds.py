"""Measure the start and the nine rounds of a Swiss of 1,000 bots: ``python -m benchmarks.swiss_rounds``.

No games are played: results are written as by workers, from hidden strengths with noise. The figures are processor time
of this process, and wall time, for processing the results. The aims in wall time are 2 s for the start, and 1 s for
processing the last result, drawing the next round and writing it. ``sh .ci/postgres python -m benchmarks.swiss_rounds``
uses PostgreSQL; by default the database is SQLite in a file.
"""

import argparse
import os
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

START, ROUND = 2.0, 1.0  # aims, in seconds of wall time
BATCH: Final = 200


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.swiss_rounds", description=__doc__)
    parser.add_argument("--bots", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=9)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="peck-") as directory:
        os.environ.setdefault("DATABASE_URL", f"sqlite:///{Path(directory) / 'swiss.sqlite3'}")
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings.test")
        import django

        django.setup()
        from celery import Celery
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        with patch.object(Celery, "send_task"):  # no broker is needed
            _rounds(args.bots, args.rounds)


def _rounds(bots: int, rounds: int) -> None:
    from django.db import connection

    from tests.tournaments.test_five_thousand import cup_of
    from tournaments import services

    cup = cup_of(bots, format="swiss", rounds=rounds, blocks=2)
    print(f"a Swiss of {bots:,} bots, {rounds} rounds, {connection.vendor}: seconds by processor and clock")
    _timed("start", START, lambda: services.tournament_start(tournament=cup))
    results = Results(cup.pk)
    for number in range(1, rounds + 1):
        results.write(number)
        end = number == rounds
        name = "the end" if end else f"round {number + 1} drawn and written"
        _timed(name, ROUND, lambda: advance(cup.pk))
    cup.refresh_from_db()
    assert cup.state == "finished", cup.state


def advance(tournament: int) -> None:
    """Process the last result of a round as a results worker does."""
    from tournaments import services

    services.tournament_chain_results_append(tournament_id=tournament)
    services.entries_withdraw_forfeiters(tournament_id=tournament)
    services.tournament_advance(tournament_id=tournament)


def _timed(name: str, aim: float, call: Callable[[], Any]) -> None:
    spent, begun = time.process_time(), time.perf_counter()
    call()
    spent, took = time.process_time() - spent, time.perf_counter() - begun
    print(f"  {name:<28}{spent:8.2f}{took:8.2f}  (aim {aim:.0f})", flush=True)


class Results:
    """Writes the results of a round. A bot's strength is drawn in its first match."""

    def __init__(self, tournament: int) -> None:
        self._tournament = tournament
        self._chance = random.Random(1)
        self._strength: dict[int, float] = {}

    def write(self, number: int) -> None:
        """End all matches of the round but one, compute the standings as for pages, and end the last one."""
        from matches.models import Match
        from tournaments.models import Tournament
        from tournaments.selectors.standings.ranking import standings_of

        of_round = Match.objects.filter(
            fixture__round__tournament=self._tournament, fixture__round__number=number
        ).prefetch_related("seats")
        matches = list(of_round.order_by("pk"))
        self._end(matches[:-1])
        standings_of(Tournament.objects.get(pk=self._tournament).stage)
        self._end(matches[-1:])

    def _end(self, matches: list[Any]) -> None:
        from django.db import transaction
        from django.db.models import F
        from django.utils import timezone

        from matches.models import Match, MatchState, Seat
        from tournaments.models import Tournament

        seats = []
        for match in matches:
            pair = list(match.seats.all())
            games = match.blocks * len(pair)
            form = [self._form(seat.version_id) for seat in pair]
            wins = min(games, max(0, round(games / 2 + form[0] - form[1])))
            for seat, won in zip(pair, (wins, games - wins), strict=True):
                seat.score, seat.points, seat.wins, seat.places = won, 4 * won, won, [1] * games
            seats += pair
            match.state, match.finished_at, match.blocks_played = MatchState.FINISHED, timezone.now(), match.blocks
        with transaction.atomic():
            Seat.objects.bulk_update(seats, ["score", "points", "wins", "places"], batch_size=BATCH)
            Match.objects.bulk_update(matches, ["state", "finished_at", "blocks_played"], batch_size=BATCH)
            Tournament.objects.filter(pk=self._tournament).update(revision=F("revision") + 1)

    def _form(self, version: int) -> float:
        return self._strength.setdefault(version, self._chance.gauss(0, 1)) + self._chance.gauss(0, 1)


if __name__ == "__main__":
    main()
