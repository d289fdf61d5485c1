"""``python -m benchmarks.load`` (``make load``): visitors, authors and spectators on a large site with running matches.

Nobody visits in the first quarter of the time, to measure how many games the workers play without visitors. The exit
code is 1 if a request failed.
"""

import argparse
import asyncio
import json
import logging
import random
import resource
import sys
import time
from typing import Any, Final

from benchmarks.load.dumps import grown
from benchmarks.load.site import Site
from tests.chaos import hosts

GAMES: Final = "select count(*) from matches_game"
CUP: Final = "running-swiss"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--bots", type=int, default=1000, help="of the grown site")
    parser.add_argument("--games", type=int, default=100_000, help="of the grown site")
    parser.add_argument("--authors", type=int, default=200)
    parser.add_argument("--views", type=int, default=2000, help="page views a minute")
    parser.add_argument("--spectators", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.add_argument("--port", type=int, default=9340, help="this one and the twenty above it are used")
    args = parser.parse_args()
    if not (hosts.apart() or hosts.hindrance()):
        # A namespace of its own, so that nothing remains.
        return hosts.inside([sys.executable, "-m", "benchmarks.load", *sys.argv[1:]])
    hosts.loopback_up()
    files, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(files, 5 * args.spectators + 2000), most), most))
    with Site(args.port, args.spectators) as site:
        import django

        django.setup()  # with the settings of that site
        logging.disable(logging.WARNING)
        size = f"{args.bots}-{args.games}"
        grown(lambda: _grow(args.bots, args.games), site.environment["DATABASE_URL"], size)
        _settle()
        site.start()
        load = _loaded(site, args)
    print(json.dumps(load.as_dict(), indent=1) if args.json else load.table())
    return 1 if load.notes.errors else 0


def _grow(bots: int, games: int) -> None:
    from unittest.mock import patch

    from celery import Celery
    from django.core.management import call_command
    from django.test.utils import override_settings

    from benchmarks.pages.population import Population

    call_command("migrate", verbosity=0)
    # Most of them never sign in.
    quick = override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"])
    with patch.object(Celery, "send_task"), quick:  # nothing is played yet
        Population(bots, games).make()


def _settle() -> None:
    """Prepare the database so that a site can start with it."""
    from django.db import connection

    from arena.embedded.preparation import preparation_static_files_collect
    from matches.models import WorkerPresence

    preparation_static_files_collect()
    WorkerPresence.objects.all().delete()  # workers that do not exist
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def _loaded(site: Site, options: Any) -> Any:
    import uvloop

    from benchmarks.load.figures import Load, Notes
    from benchmarks.load.visitors import FILES, Address, answering

    notes, (names, people) = Notes(), _addresses_and_authors(options.authors)
    addresses = asyncio.run(answering(site.url, [Address.of(name, path) for name, path in names]))
    quiet = 60 * options.minutes / 4
    _print(f"{len(addresses)} addresses; {quiet:.0f} s without visitors")
    alone = _games_a_second(site, lambda: time.sleep(quiet))
    seconds = 60 * options.minutes - quiet
    _print(
        f"{seconds:.0f} s with {options.views} views a minute, {options.authors} authors,"
        f" {options.spectators} spectators"
    )
    cpu, ours, begun = site.cpu(), time.process_time(), time.monotonic()
    visit = _visits(site, options, addresses, people, notes, seconds)
    visited = _games_a_second(site, lambda: uvloop.run(visit))
    took = time.monotonic() - begun
    used = {name: (now - cpu[name]) / took for name, now in site.cpu().items()}
    used["visitors"] = (time.process_time() - ours) / took
    groups = {address.group for address in addresses} - {FILES}
    return Load(
        seconds=took,
        notes=notes,
        pages=sorted(groups | {"authors: own pages"}),
        sockets=[name for name in notes.taken if name.startswith("sockets")],
        cpu=used,
        rates=(alone, visited),
        cores=f"what serves on {site.serving}, workers and visitors on {site.working}",
    )


def _addresses_and_authors(authors: int) -> tuple[list[tuple[str, str]], list[str]]:
    """Return names and addresses that anonymous visitors may read, and the authors who can sign in."""
    from django.contrib.auth.hashers import make_password

    from arena.accounts.models import User
    from benchmarks.pages.measuring import Site as Measured
    from tests.arena.factories import PASSWORD

    people = list(User.objects.filter(username__startswith="author-").order_by("pk")[:authors])
    User.objects.filter(pk__in=[one.pk for one in people]).update(password=make_password(PASSWORD))
    return list(Measured().addresses()), [one.username for one in people]


async def _visits(site: Site, options: Any, addresses: Any, people: list[str], notes: Any, seconds: float) -> None:
    from benchmarks.load import spectators, visitors
    from benchmarks.page_cells import PageCells
    from tests.arena.factories import PASSWORD

    watching = options.spectators // 4
    step = seconds / 20
    page = await asyncio.to_thread(PageCells.of, f"{site.url}/tournaments/{CUP}/")
    async with asyncio.TaskGroup() as group:
        until = time.perf_counter() + seconds
        server = site.environment["REDIS_URL"]
        following = options.spectators - watching
        group.create_task(spectators.follow_tournament(site.port, following, page, server, notes, until))
        group.create_task(spectators.watch_match(site.port, watching, notes, until))
        rng = random.Random(options.seed)
        views = visitors.anonymous_visitors(site.url, addresses, notes, a_minute=options.views, until=until, rng=rng)
        group.create_task(views)
        for number, name in enumerate(people):
            begin = time.perf_counter() + (seconds - 10 * step) * number / len(people)
            one = visitors.author(site.url, number, name, PASSWORD, notes, begin=begin, step=step)
            group.create_task(one)


def _games_a_second(site: Site, meanwhile: Any) -> float:
    begun, before = time.monotonic(), site.count(GAMES)
    meanwhile()
    return (site.count(GAMES) - before) / (time.monotonic() - begun)


def _print(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
