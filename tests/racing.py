"""Several threads with connections of their own at the same moment, for what only a database's locks can keep apart."""

import os
import threading
from collections.abc import Callable
from typing import TypeVar

import pytest
from django.db import connection

T = TypeVar("T")

# SQLite has one writer at a time, and its database in memory is one connection's.
on_postgres = pytest.mark.skipif(
    not os.environ.get("DATABASE_URL", "").startswith("postgres"), reason="races of connections: make test-postgres"
)


def at_once(act: Callable[[int], T], threads: int) -> list[T]:
    """What ``act`` answers to each thread's number, in no order; what it raises is raised here."""
    barrier, outcomes, errors = threading.Barrier(threads), list[T](), list[BaseException]()

    def run(number: int) -> None:
        try:
            connection.ensure_connection()
            barrier.wait(30)
            outcomes.append(act(number))
        except BaseException as error:
            errors.append(error)
        finally:
            connection.close()

    runners = [threading.Thread(target=run, args=[number]) for number in range(threads)]
    for runner in runners:
        runner.start()
    for runner in runners:
        runner.join(60)
    if errors:
        raise errors[0]
    return outcomes
