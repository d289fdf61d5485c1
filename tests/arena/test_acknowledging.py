"""A worker whose acknowledgement is lost goes on: it connects to the broker again and takes the next message."""

import logging
import logging.config
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from celery import current_app, shared_task
from celery.contrib.testing.worker import start_worker
from django.conf import settings
from kombu.transport.redis import QoS

from tests.arena.outages import broker_at
from tests.brokers import Broker
from tests.waiting import eventually

pytestmark = pytest.mark.processes

done: list[str] = []


@shared_task(name="tests.do")
def do(name: str) -> None:
    done.append(name)


@pytest.fixture
def broker() -> Iterator[Broker]:
    done.clear()
    with tempfile.TemporaryDirectory(prefix="po-") as folder:  # short, because a socket's name has to be
        socket = Path(folder) / "valkey.sock"
        with Broker(socket) as server, broker_at(f"redis+socket://{socket}"):
            yield server
    logging.config.dictConfig(settings.LOGGING)  # a worker that starts changes it


@pytest.mark.parametrize(
    "error", [redis.ConnectionError("cut off"), redis.TimeoutError("no answer"), BrokenPipeError()]
)
def test_a_worker_that_cannot_acknowledge_takes_the_next_message(
    broker: Broker, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    lost: list[str] = []
    acknowledge = QoS.ack

    def lose_the_first(self: QoS, tag: str) -> None:
        if not lost:
            lost.append(tag)
            raise error
        acknowledge(self, tag)

    monkeypatch.setattr(QoS, "ack", lose_the_first)
    with start_worker(current_app, pool="solo", perform_ping_check=False, queues=["books"], loglevel="CRITICAL"):
        do.delay("first")
        assert eventually(lambda: lost != [])
        do.delay("second")
        assert eventually(lambda: "second" in done)
