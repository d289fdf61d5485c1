"""``python -m benchmarks.large_boards``: the cost of a signed-in reader's requests on tournaments of 1,000 bots.

The site is that of ``benchmarks.pages``, which is created if necessary. Figures are CPU time of the view in ms: the
best of several requests with current snapshots, and the first request after a change that no worker has processed.
"""

import argparse
import gc
import logging
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from tournaments.models import Tournament

BOTS: Final = 1000
REQUESTS: Final = 9
CUPS: Final = {"running-swiss": "Swiss", "finished-swiss": "Swiss, over", "knockout": "knockout"}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.large_boards", description=__doc__)
    parser.add_argument("--games", type=int, default=100_000, help="of the site")
    parser.add_argument("--database", default=os.environ.get("DATABASE_URL"), help="an address; default: a SQLite file")
    parser.add_argument("--as", dest="reader", default="author", choices=["author", "organiser", "staff"])
    args = parser.parse_args()
    file = Path(tempfile.gettempdir()) / f"pecking-order-pages-{BOTS}-{args.games}.sqlite3"
    os.environ["DATABASE_URL"] = args.database or f"sqlite:///{file}"
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings.test")

    import django

    django.setup()
    logging.getLogger("django.request").setLevel(logging.ERROR)
    from celery import Celery
    from django.core.management import call_command
    from django.test import Client

    from arena.accounts.models import User
    from benchmarks.pages.population import Population
    from tournaments.models import Tournament

    Celery.send_task = lambda *_args, **_kwargs: None  # no broker is needed
    call_command("migrate", verbosity=0)
    Population(BOTS, args.games).make()
    cups = {slug: Tournament.objects.get(slug=slug) for slug in CUPS}
    client = Client()
    client.force_login(User.objects.get(username=args.reader))
    for cup in cups.values():
        ratings_refresh(cup)
    gc.collect()
    gc.freeze()  # as in arena.asgi
    gc.set_threshold(10_000, 20, 20)
    print(f"{'ms of CPU time':30} {'best':>6} {'after a change':>15} {'queries':>8} {'kB':>6}")
    for label, cup, address in pages(cups):
        print(f"{label:30} {measured(client.get, cup, address)}", flush=True)
    return 0


def pages(cups: "dict[str, Tournament]") -> "Iterator[tuple[str, Tournament, str]]":
    """Yield label, tournament and address of each page."""
    from django.urls import reverse

    swiss, over, knockout = cups.values()
    first = over.entries.order_by("pk")[0].pk
    for slug, label in CUPS.items():
        yield label, cups[slug], reverse("tournaments:detail", args=[slug])
    yield "its bracket", knockout, reverse("tournaments:bracket", args=[knockout.slug, 1])
    for cup in (swiss, knockout):
        label, latest = CUPS[cup.slug], cup.rounds.count()
        yield f"pairings of a {label}", cup, reverse("tournaments:pairings", args=[cup.slug, latest])
        yield f"boards of a {label}", cup, reverse("tournaments:boards", args=[cup.slug, latest])
    yield "certificates", over, reverse("tournaments:certificates", args=[over.slug])
    yield "a certificate", over, reverse("tournaments:certificate", args=[over.slug, first])
    yield "honours", over, reverse("honours:list")


def measured(get: Callable[[str], Any], cup: "Tournament", address: str) -> str:
    """Return the figures of a page: best CPU time, CPU time after a change, queries and size."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    standings_refresh(cup)
    get(address)
    with CaptureQueriesContext(connection) as queries:
        size = len(get(address).content) / 1000
        executed = len(queries)  # the next request clears them
    best = min(timed(get, address) for _ in range(REQUESTS))
    revision_move(cup)
    changed = timed(get, address)
    return f"{1000 * best:6.1f} {1000 * changed:15.1f} {executed:8} {size:6.0f}"


def timed(get: Callable[[str], Any], address: str) -> float:
    begun = time.thread_time()
    answer = get(address)
    spent = time.thread_time() - begun
    if answer.status_code != 200:
        raise SystemExit(f"{address}: {answer.status_code}")
    return spent


def ratings_refresh(cup: "Tournament") -> None:
    """Compute the ratings, as a worker does. They take 2 s; boards of large tournaments show the last ones."""
    from tournaments.selectors.standings.ratings import tournament_ratings_snapshot_part

    tournament_ratings_snapshot_part(cup).recompute()


def standings_refresh(cup: "Tournament") -> None:
    """Compute the standings and the bracket, as workers do."""
    from tournaments.formats.knockout.pages.snapshots import bracket_snapshot_part
    from tournaments.selectors.standings.ranking import standings_snapshot_part

    standings_snapshot_part(cup.stage).recompute()
    if cup.stage.kind.has_bracket:
        bracket_snapshot_part(cup.stage).recompute()


def revision_move(cup: "Tournament") -> None:
    """Move the revision, as an announced change does."""
    from django.db.models import F

    type(cup).objects.filter(pk=cup.pk).update(revision=F("revision") + 1)


if __name__ == "__main__":
    sys.exit(main())
