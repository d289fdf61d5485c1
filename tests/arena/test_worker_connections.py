"""A worker's connection to the database, from task to task."""

import gc
import os
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from celery.fixups.django import DjangoWorkerFixup
from celery.signals import task_prerun
from django.db import OperationalError, connection, connections, transaction

import matches.tasks  # noqa: F401  one of which is the example
from arena.celery_app import app
from matches.worker.celery_worker import _rest

pytestmark = pytest.mark.django_db(transaction=True)


def between_tasks(*, is_eager: bool = False) -> None:
    """Do what is done after one task and before the next."""
    task, fixup = app.tasks["matches.sweep"], DjangoWorkerFixup(app)
    task.push_request(id="1", is_eager=is_eager)
    fixup.on_task_postrun(task)
    fixup.on_task_prerun(task)
    task_prerun.send(sender=task, task=task, task_id="1", args=[], kwargs={})
    task.pop_request()


@pytest.fixture
def closed(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Return what is given up from now on: a database in memory is never closed."""
    given_up: list[object] = []
    monkeypatch.setattr(type(connections["default"]), "close", lambda one: given_up.append(one))
    connection.ensure_connection()
    monkeypatch.setattr(connections["default"], "close_at", None)  # it may have been open for all of the tests
    return given_up


def test_the_connection_stays_open(closed: list[object]) -> None:
    for _ in range(3):
        between_tasks()
    assert closed == []


def test_an_old_one_is_given_up(closed: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections["default"], "close_at", 0, raising=False)
    between_tasks()
    assert len(closed) == 1


def test_a_task_that_is_called_as_a_function_leaves_its_callers_alone(
    closed: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections["default"], "close_at", 0, raising=False)
    between_tasks(is_eager=True)
    assert closed == []


def test_the_heartbeat_thread_of_a_worker_keeps_only_a_server_connection_open(
    closed: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    _rest()
    assert len(closed) == (connection.vendor == "sqlite")
    monkeypatch.setattr(connections["default"], "close_at", 0, raising=False)
    _rest()
    assert len(closed) == (2 if connection.vendor == "sqlite" else 1)


def test_a_forked_process_leaves_the_connection_of_another_thread_alone() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite's is closed each time")
    connected, forked = threading.Event(), threading.Event()

    def thread() -> int:
        before = _backend()
        connected.set()
        assert forked.wait(60)
        after = _backend()
        connection.close()
        return after - before

    with ThreadPoolExecutor(1) as pool:
        difference = pool.submit(thread)
        assert connected.wait(60)
        child = os.fork()
        if not child:
            gc.collect()
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        forked.set()
        assert difference.result(60) == 0


def _backend() -> int:
    with connection.cursor() as cursor:
        cursor.execute("select pg_backend_pid()")
        return int(cursor.fetchone()[0])


def test_one_that_the_server_ended_is_replaced_before_the_next_task() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no server")
    with pytest.raises(OperationalError), connection.cursor() as cursor:
        cursor.execute("select pg_terminate_backend(pg_backend_pid())")
    between_tasks()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("select 1")
        assert cursor.fetchone() == (1,)
