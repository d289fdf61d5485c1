"""Several threads with connections of their own at the same moment, for what only a database's locks can keep apart."""

import os
import threading
from collections.abc import Callable
from typing import TypeVar

import pytest
from django.db import connection, transaction

from tests.waiting import eventually

T = TypeVar("T")

# SQLite has one writer at a time, and its database in memory is one connection's.
on_postgres = pytest.mark.skipif(
    not os.environ.get("DATABASE_URL", "").startswith("postgres"), reason="races of connections: make test-postgres"
)


def after_waiting(act: Callable[[], T], change: Callable[[], object]) -> T:
    """Return what ``act`` answers if it had to wait for the transaction of ``change``, which began before."""
    outcomes, errors = list[T](), list[BaseException]()

    def run() -> None:
        try:
            outcomes.append(act())
        except BaseException as error:
            errors.append(error)
        finally:
            connection.close()

    runner = threading.Thread(target=run)
    with transaction.atomic():
        change()
        runner.start()
        assert eventually(_is_waited_for), "nothing waited for the change"
    runner.join(60)
    if errors:
        raise errors[0]
    return outcomes[0]


def _is_waited_for() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
        )
        return bool(cursor.fetchone()[0])


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
