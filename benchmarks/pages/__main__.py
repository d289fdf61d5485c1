"""``python -m benchmarks.pages``: measure the cost of every page and every list of the API on a large site.

A database with the given numbers of bots and games is created and stored for later runs; with 1,000 bots and 100,000
games, this takes about five minutes. If it is interrupted, it continues with the interrupted step. Each address is
requested by an anonymous visitor, an author, an organiser and staff; figures are medians of several warm requests.
"""

import argparse
import logging
import math
import os
import sys
import tempfile
import time
from pathlib import Path


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pages", description=__doc__)
    parser.add_argument("--bots", type=int, default=1000)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--database", default=os.environ.get("DATABASE_URL"), help="an address; default: a SQLite file")
    parser.add_argument("--only", default="", help="a part of the names of addresses")
    parser.add_argument("--as", dest="visitors", action="append", help="one of the four; default: all")
    parser.add_argument("--pages", action="store_true", help="no files")
    parser.add_argument("--make", action="store_true", help="only make the database")
    parser.add_argument("--seconds", type=float, default=math.inf, help="after which no step and no row is begun")
    parser.add_argument("--rows", type=Path, help="a file that keeps what was measured, to go on with")
    args = parser.parse_args()
    ends = time.monotonic() + args.seconds
    file = Path(tempfile.gettempdir()) / f"pecking-order-pages-{args.bots}-{args.games}.sqlite3"
    os.environ["DATABASE_URL"] = args.database or f"sqlite:///{file}"
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings.test")

    import django

    django.setup()
    logging.getLogger("django.request").setLevel(logging.ERROR)
    from celery import Celery
    from django.core.management import call_command

    Celery.send_task = lambda *_args, **_kwargs: None  # no broker is needed
    from benchmarks.pages.measuring import VISITORS, RowsKept, Site, is_file, measured, table
    from benchmarks.pages.population import Population

    population = Population(args.bots, args.games)
    call_command("migrate", verbosity=0)
    if not population.is_begun():
        call_command("flush", verbosity=0, interactive=False, allow_cascade=True)  # the database has another size
    if not population.make(args.seconds):
        print("run it again: not all is made")
        return 1
    if args.make:
        return 0
    site, rows = Site(), RowsKept(args.rows)
    for name, address in site.addresses(args.only):
        if args.pages and is_file(name):
            continue
        for visitor in args.visitors or VISITORS:
            if time.monotonic() > ends:
                print("run it again: not all is measured")
                return 1
            if (name, visitor) not in rows:
                rows[name, visitor] = measured(name, address, visitor, site.request(name, address, visitor))
    print(table([row for row in rows.values() if row is not None]))
    return 0


sys.exit(main())
