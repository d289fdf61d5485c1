"""A worker's connection to the database, from task to task."""

import pytest
from celery.fixups.django import DjangoWorkerFixup
from celery.signals import task_prerun
from django.db import OperationalError, connection, connections, transaction

import matches.tasks  # noqa: F401  one of which is the example
from arena.celery_app import app

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


def test_it_is_kept(closed: list[object]) -> None:
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


def test_one_that_the_server_ended_is_replaced_before_the_next_task() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no server")
    with pytest.raises(OperationalError), connection.cursor() as cursor:
        cursor.execute("select pg_terminate_backend(pg_backend_pid())")
    between_tasks()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("select 1")
        assert cursor.fetchone() == (1,)
