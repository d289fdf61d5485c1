"""Outages: a stopped Valkey, a broker and a database that are unreachable."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from celery import current_app
from django.core.cache import caches
from django.db import connections
from django.test import override_settings

from arena.settings.stores import BROKER_RETRIES, BROKER_TIMEOUTS
from arena.settings.stores import CACHES as REAL_CACHES
from tests.brokers import Broker


@contextmanager
def real_cache() -> Iterator[Broker]:
    """The caches of the settings on a Valkey of their own."""
    with tempfile.TemporaryDirectory(prefix="po-") as folder:  # short, because a socket's name has to be
        socket = Path(folder) / "valkey.sock"
        ours = {name: {**cache, "LOCATION": f"unix://{socket}"} for name, cache in REAL_CACHES.items()}
        with Broker(socket) as broker, override_settings(CACHES=ours):
            yield broker


@contextmanager
def cache_away() -> Iterator[None]:
    """A cache that stops after it was reachable."""
    with real_cache() as broker:
        caches["optional"].set("egg", "laid")
        assert caches["optional"].get("egg") == "laid"
        broker.stop()
        yield


@contextmanager
def broker_away() -> Iterator[None]:
    """A broker that refuses connections, with the timeouts of the settings."""
    with broker_at("redis://127.0.0.1:1/0"):
        yield


@contextmanager
def broker_at(address: str) -> Iterator[None]:
    """The broker at ``address``, with the timeouts of the settings."""
    changes = {
        "broker_url": address,
        "broker_transport_options": BROKER_TIMEOUTS,
        "task_publish_retry_policy": BROKER_RETRIES,
    }
    before = {name: getattr(current_app.conf, name) for name in changes}
    current_app.conf.update(changes)
    _forget_connections()
    try:
        yield
    finally:
        current_app.conf.update(before)
        _forget_connections()


@contextmanager
def database_away() -> Iterator[None]:
    """Every query finds no server, or no file."""
    there = connections["default"]
    unreachable = {"NAME": "/nonexistent/db.sqlite3", "HOST": "/nonexistent"}
    connections["default"] = type(there)({**there.settings_dict, **unreachable}, "default")
    try:
        yield
    finally:
        connections["default"] = there


def _forget_connections() -> None:
    current_app._pool = current_app.amqp._producer_pool = None
