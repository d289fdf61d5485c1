"""What every worker of Celery does before it starts its pool."""

import gc
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from celery.signals import celeryd_after_setup

import arena.celery_app  # noqa: F401  its handlers


@pytest.fixture(autouse=True)
def _thawed() -> Iterator[None]:
    gc.unfreeze()
    yield
    gc.unfreeze()


def test_a_worker_freezes_loaded_objects_before_it_forks() -> None:
    loaded = len(gc.get_objects())
    worker = SimpleNamespace(app=SimpleNamespace(amqp=SimpleNamespace(queues=SimpleNamespace(consume_from=["books"]))))
    celeryd_after_setup.send(sender="w@host", instance=worker, conf=None)
    assert gc.get_freeze_count() > loaded / 2 > len(gc.get_objects())
