"""One site with its demo for all processes of a run of tests."""

import json
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, flock
from pathlib import Path
from typing import IO

from tests.browser.running import STOP_SECONDS, Site, StartedSite, eventually, processes


@contextmanager
def shared_site(directory: Path) -> Iterator[Site]:
    """The first who asks starts it, the last who leaves ends it; ``directory`` is that of the run."""
    with _books(directory) as (book, told):
        if told["visitors"] == 0:
            told |= _start()
        _write(book, told | {"visitors": told["visitors"] + 1})
        site = Site(Path(told["var"]), told["port"])
    try:
        yield site
    finally:
        with _books(directory) as (book, told):
            _write(book, told | {"visitors": told["visitors"] - 1})
            if told["visitors"] == 1:
                _end(told["pid"])
                shutil.rmtree(told["var"], ignore_errors=True)


def _start() -> dict[str, object]:
    var = Path(tempfile.mkdtemp(prefix="po-site-"))  # a socket's name must be short
    try:
        started = StartedSite(var).wait_until_up()
    except BaseException:
        shutil.rmtree(var, ignore_errors=True)
        raise
    return {"var": str(var), "port": started.port, "pid": started.process.pid}


def _end(pid: int) -> None:
    os.kill(pid, signal.SIGTERM)
    ended = eventually(lambda: all(line.pid != pid for line in processes()), STOP_SECONDS)
    assert ended, f"the site ({pid}) did not end"


@contextmanager
def _books(directory: Path) -> Iterator[tuple[IO[str], dict[str, object]]]:
    """What is known of the site, while nobody else may read or change it."""
    with (directory / "shared_site.json").open("a+") as book:
        flock(book, LOCK_EX)
        book.seek(0)
        yield book, json.loads(book.read() or '{"visitors": 0}')


def _write(book: IO[str], told: dict[str, object]) -> None:
    book.seek(0)
    book.truncate()
    json.dump(told, book)
    book.flush()
