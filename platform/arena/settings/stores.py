"""Settings of the data directory, the database, the cache, the broker and the channel layer.

The defaults are SQLite and a Valkey server on a local socket, both under ``VAR_DIR``. ``DATABASE_URL`` and
``REDIS_URL`` name external servers; ``CACHE_URL``, ``BROKER_URL`` and ``CHANNEL_URL`` separate the three uses of Redis.
A request waits only seconds for a server that is away, and does not try again at once: see ``arena.caches``.
"""

import os
from pathlib import Path
from typing import Any

from redis.backoff import NoBackoff
from redis.retry import Retry

from arena.embedded.paths import embedded_own_directory, embedded_socket_path
from arena.settings import connections
from arena.settings.environment import (
    environment_broker_address,
    environment_database,
    environment_refuse,
    environment_server,
)

BASE_DIR = Path(__file__).resolve().parents[3]
VAR_DIR = Path(os.environ.get("PECKING_ORDER_VAR", BASE_DIR / "var"))
os.umask(0o077)  # only this user may read the files: logs, emails and the database
try:
    embedded_own_directory(VAR_DIR)
except OSError as error:
    environment_refuse(f"PECKING_ORDER_VAR: {error}")

DATABASES: dict[str, Any] = {"default": environment_database("DATABASE_URL", f"sqlite:///{VAR_DIR / 'db.sqlite3'}")}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["OPTIONS"] = {
        # Take the write lock at the beginning, so that a transaction waits instead of failing when it first writes.
        "transaction_mode": "IMMEDIATE",
        "timeout": 30,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
    }
else:
    options = DATABASES["default"].get("OPTIONS", {})
    DATABASES["default"]["OPTIONS"] = {"connect_timeout": 3, **connections.POSTGRES, **options}

VALKEY_SOCKET = embedded_socket_path(VAR_DIR)
EMBEDDED_URL = f"unix://{VALKEY_SOCKET}"
CACHE_URL, CACHE_URL_FROM = environment_server(("CACHE_URL", "REDIS_URL"), EMBEDDED_URL)
BROKER_URL, BROKER_URL_FROM = environment_server(("BROKER_URL", "REDIS_URL"), EMBEDDED_URL)
CHANNEL_URL, CHANNEL_URL_FROM = environment_server(("CHANNEL_URL", "REDIS_URL"), EMBEDDED_URL)
# The servers for which ``up`` and workers wait at the start: by address, the variable that sets it.
SERVERS = {BROKER_URL: BROKER_URL_FROM, CACHE_URL: CACHE_URL_FROM, CHANNEL_URL: CHANNEL_URL_FROM}
REDIS_IS_EMBEDDED = EMBEDDED_URL in SERVERS

_CACHE_OPTIONS = {
    "socket_connect_timeout": 0.5,
    "socket_timeout": 1.0,
    "retry": Retry(NoBackoff(), 1),  # once, because the server may have restarted since the connection was opened
    **connections.connection_redis_options(CACHE_URL),
}
CACHES = {
    # This cache counts guesses of passwords and codes. If it is away, sign-in fails, because it would be unlimited
    # otherwise.
    "default": {"BACKEND": "arena.caches.NeededCache", "LOCATION": CACHE_URL, "OPTIONS": _CACHE_OPTIONS},
    # Values that can be computed again.
    "optional": {"BACKEND": "arena.caches.OptionalCache", "LOCATION": CACHE_URL, "OPTIONS": _CACHE_OPTIONS},
}
CHANNEL_LAYERS = {
    # Publish/subscribe: no message is dropped at a capacity, and one subscription per process is enough.
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [connections.connection_redis_channel_host(CHANNEL_URL)]},
    },
}
BROKER_ADDRESS = environment_broker_address(BROKER_URL)
# A page that sends a task waits at most this long for the broker. If the task is not sent, a periodic task does its
# work later.
BROKER_TIMEOUTS = {
    "socket_connect_timeout": 0.5,
    "socket_timeout": 5.0,
    **connections.connection_redis_options(BROKER_URL),
}
BROKER_RETRIES = {"max_retries": 1, "interval_start": 0, "interval_step": 0.1, "interval_max": 0.1}
