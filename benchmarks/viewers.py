"""Measure a board of 1,000 bots with 1,000 viewers: ``python -m benchmarks.viewers``.

A running Swiss is on a site with one web process, PostgreSQL and Valkey. All viewers follow its page as browsers of
anonymous visitors do, and are sent rows. A result is written about once a second; the results workers store snapshots
and announce rows. The figures are the delay between the first viewer who gets rows and the others; from a result until
each viewer gets rows; from a result until each viewer gets the row of its table; and the processor time of the site's
programs. The serving programs use one half of the cores, the viewers and the workers the other.
"""

import argparse
import asyncio
import bisect
import logging
import os
import random
import resource
import time
from dataclasses import dataclass
from typing import Any, Final

from benchmarks.crowd import HEAD, ROWS, Crowd, Viewer
from benchmarks.load.figures import percentile
from benchmarks.load.site import SERVING, Site
from benchmarks.page_cells import PageCells
from tests.waiting import eventually

BAR_MS: Final = 200.0  # p99
PAUSE: Final = 1.0, 1.4  # seconds from one result to the next
WARM, WARM_SECONDS = 2, 4.0  # results that are not counted, because processes compile templates for the first ones
LAST_SECONDS: Final = 20.0  # until a cached board shows the last result


class Readers(Crowd):
    """A crowd that records what it was sent: each text once, and when each viewer got it."""

    def __init__(self, viewers: int) -> None:
        super().__init__(viewers)
        self.texts: dict[bytes, int] = {}
        self.had: list[tuple[Viewer, float, int]] = []

    def count(self, viewer: Viewer, text: bytes = b"") -> None:
        super().count(viewer, text)
        if ROWS in text[:HEAD]:
            number = self.texts.setdefault(text, len(self.texts))
            self.had.append((viewer, time.perf_counter(), number))


@dataclass(slots=True)
class Update:
    """A result: when it was announced, and the row that shows it."""

    at: float
    row: bytes


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.viewers", description=__doc__)
    parser.add_argument("--viewers", type=int, default=1000)
    parser.add_argument("--bots", type=int, default=1000)
    parser.add_argument("--updates", type=int, default=30)
    parser.add_argument("--played", type=int, default=0, help="rounds that are over before")
    parser.add_argument("--port", type=int, default=9540, help="this one and the twenty above it are used")
    args = parser.parse_args()
    files, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(files, 5 * args.viewers + 2000), most), most))
    with Site(args.port, args.viewers) as site:
        import django
        import uvloop

        django.setup()  # with the settings of that site
        from arena.celery_app import app as celery

        logging.disable(logging.WARNING)
        cup = _cup(args.bots, args.played)
        for name in ("web", "books"):
            site.programs[name].start()
        assert eventually(lambda: celery.control.ping(timeout=0.5), 60), site.log_ends()
        address = f"{site.url}/tournaments/{cup.slug}/"
        PageCells.of(f"{address}?page=2")  # compiles the templates in the process
        page = PageCells.of(f"{address}?round={args.played + 1}")  # with the tables of the round
        os.sched_setaffinity(0, site.working)
        about = f"of a Swiss of {args.bots}, round {args.played + 1}, load {os.getloadavg()[0]:.1f}"
        print(f"{args.viewers} viewers {about}", flush=True)
        uvloop.run(_watched(site, args, cup, page))


def _cup(bots: int, played: int) -> Any:
    from unittest.mock import patch

    from celery import Celery
    from django.core.cache import caches
    from django.core.management import call_command

    from arena.embedded.preparation import preparation_static_files_collect
    from benchmarks.swiss_rounds import Results, advance
    from tests.tournaments.test_five_thousand import cup_of
    from tournaments import services

    call_command("migrate", verbosity=0)
    preparation_static_files_collect()
    with patch.object(Celery, "send_task"):
        cup = cup_of(bots, format="swiss", rounds=9, blocks=2)
        services.tournament_start(tournament=cup)
        results = Results(cup.pk)
        for number in range(1, played + 1):
            results.write(number)
            advance(cup.pk)
    caches["optional"].clear()  # it has marks of requested snapshots whose messages were not sent
    cup.refresh_from_db()
    return cup


async def _watched(site: Site, options: Any, cup: Any, page: PageCells) -> None:
    from asgiref.sync import sync_to_async

    crowd = Readers(options.viewers)
    await crowd.come(site.port, "/ws/live/", page.first_words())
    await crowd.all_have(2, 120)  # the connection and "subscribed"
    fixtures = await sync_to_async(_fixtures)(cup)
    for fixture in fixtures[:WARM]:
        await sync_to_async(_decide)(cup, fixture)
        await asyncio.sleep(WARM_SECONDS)
    del crowd.had[:]
    crowd.bytes = 0
    updates: list[Update] = []
    before, began = site.cpu(), time.perf_counter()
    chance = random.Random(1)
    for fixture in fixtures[WARM : WARM + options.updates]:
        updates.append(await sync_to_async(_decide)(cup, fixture))
        await asyncio.sleep(chance.uniform(*PAUSE))
    after, took = site.cpu(), time.perf_counter() - began
    await asyncio.sleep(LAST_SECONDS)
    crowd.leave()
    _report(crowd, updates, options.viewers, {name: after[name] - before[name] for name in SERVING}, took)


def _fixtures(cup: Any) -> list[Any]:
    """Return the tables on the first page of the board."""
    from tournaments.models import Fixture

    last = cup.rounds.latest("number")
    return list(Fixture.objects.filter(round=last).select_related("match").order_by("table")[:50])


def _decide(cup: Any, fixture: Any) -> Update:
    """Write a result as a worker does, and announce it as results workers do."""
    from django.db import transaction
    from django.utils import timezone

    from matches.models import Match, MatchState, Seat
    from tournaments.services import tournament_chain_results_publish

    match = fixture.match
    games = 2 * match.blocks
    with transaction.atomic():
        for seat, won in zip(match.seats.all(), (games, 0), strict=True):
            Seat.objects.filter(pk=seat.pk).update(score=won, points=4 * won, wins=won, places=[1] * games)
        Match.objects.filter(pk=match.pk).update(
            state=MatchState.FINISHED, finished_at=timezone.now(), blocks_played=match.blocks
        )
    at = time.perf_counter()
    tournament_chain_results_publish(tournament_id=cup.pk)
    return Update(at, f'[{fixture.pk},"finished"'.encode())


def _report(crowd: Readers, updates: list[Update], viewers: int, cpu: dict[str, float], took: float) -> None:
    sent = [
        1000 * (times[at] - update.at)
        for update in updates
        for times in crowd.with_rows()
        if (at := bisect.bisect_left(times, update.at)) < len(times)
    ]
    _line("rows after a result", sent, viewers * len(updates))
    _line("the result itself", [ms for one in updates for ms in _shown(crowd, one)], viewers * len(updates))
    first: dict[int, float] = {}
    spread = [1000 * (at - first.setdefault(number, at)) for _viewer, at, number in crowd.had]
    _line("rows, after the first viewer", spread, len(spread))
    sizes = sorted(len(text) for text in crowd.texts)
    if sizes:
        print(f"  {len(sizes)} texts, of {sizes[0]} to {sizes[-1]} bytes, half of up to {sizes[len(sizes) // 2]}")
        print(f"  {crowd.bytes / viewers / len(updates):.0f} bytes a viewer and update came through the sockets")
    print(f"  {crowd.reloads} times a page would have asked by HTTP")
    for name, seconds in cpu.items():
        each = 1e6 * seconds / viewers / len(updates)
        print(f"  {name:<12}{seconds / took:6.2f} cores{each:9.1f} us a viewer and update")


def _shown(crowd: Readers, update: Update) -> list[float]:
    """Return the milliseconds until each viewer was sent the row of the result, which is sent once."""
    shows = {number for text, number in crowd.texts.items() if update.row in text}
    first: dict[Viewer, float] = {}
    for viewer, at, number in crowd.had:
        if number in shows and at >= update.at:
            first.setdefault(viewer, 1000 * (at - update.at))
    return list(first.values())


def _line(name: str, values: list[float], most: int) -> None:
    figures = "  ".join(f"{label} {percentile(values, share):7.1f}" for label, share in SHARES)
    met = "met" if len(values) == most and percentile(values, 0.99) <= BAR_MS else "NOT MET"
    print(f"  {name:<30}{len(values):>7} of {most}  {figures} ms  bar {BAR_MS:.0f}: {met}")


SHARES: Final = (("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("most", 1.0))


if __name__ == "__main__":
    main()
