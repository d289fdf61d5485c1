"""Where data are kept and passed on: the data directory, the database, the cache, the broker, the channel layer.

Embedded by default: SQLite and a Valkey server on a local socket, both under ``VAR_DIR``. ``DATABASE_URL`` and
``REDIS_URL`` name grown ones; ``CACHE_URL``, ``BROKER_URL`` and ``CHANNEL_URL`` part the three uses of the latter.
A request to a server that is away waits seconds at most, and not again at once: see ``arena.caches``.
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
os.umask(0o077)  # what any process of ours writes there, logs, mail and database, is for nobody else's eyes
try:
    embedded_own_directory(VAR_DIR)
except OSError as error:
    environment_refuse(f"PECKING_ORDER_VAR: {error}")

DATABASES: dict[str, Any] = {"default": environment_database("DATABASE_URL", f"sqlite:///{VAR_DIR / 'db.sqlite3'}")}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["OPTIONS"] = {
        # Writers queue for the lock instead of failing when a read turns into a write.
        "transaction_mode": "IMMEDIATE",
        "timeout": 30,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
    }
else:
    asked_for = DATABASES["default"].get("OPTIONS", {})
    DATABASES["default"]["OPTIONS"] = {"connect_timeout": 3, **connections.POSTGRES, **asked_for}

VALKEY_SOCKET = embedded_socket_path(VAR_DIR)
EMBEDDED_URL = f"unix://{VALKEY_SOCKET}"
CACHE_URL, CACHE_URL_FROM = environment_server(("CACHE_URL", "REDIS_URL"), EMBEDDED_URL)
BROKER_URL, BROKER_URL_FROM = environment_server(("BROKER_URL", "REDIS_URL"), EMBEDDED_URL)
CHANNEL_URL, CHANNEL_URL_FROM = environment_server(("CHANNEL_URL", "REDIS_URL"), EMBEDDED_URL)
# What "up" and a worker wait for when they start: each address with the variable that it was set by.
SERVERS = {BROKER_URL: BROKER_URL_FROM, CACHE_URL: CACHE_URL_FROM, CHANNEL_URL: CHANNEL_URL_FROM}
REDIS_IS_EMBEDDED = EMBEDDED_URL in SERVERS

_CACHE_OPTIONS = {
    "socket_connect_timeout": 0.5,
    "socket_timeout": 1.0,
    "retry": Retry(NoBackoff(), 1),  # once, for a connection that was open when its server restarted
    **connections.redis_options(CACHE_URL),
}
CACHES = {
    # Limits on guessing are counted here, ours and allauth's: without it they are not lifted, sign-in waits.
    "default": {"BACKEND": "arena.caches.NeededCache", "LOCATION": CACHE_URL, "OPTIONS": _CACHE_OPTIONS},
    # What is only kept to be quick: without it, it is computed again.
    "optional": {"BACKEND": "arena.caches.OptionalCache", "LOCATION": CACHE_URL, "OPTIONS": _CACHE_OPTIONS},
}
CHANNEL_LAYERS = {
    # Publish/subscribe: nothing is dropped at a capacity, and one subscription per process is all we need.
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [connections.redis_channel_host(CHANNEL_URL)]},
    },
}
BROKER_ADDRESS = environment_broker_address(BROKER_URL)
# A page that sends a task waits about so long for a broker that is away; what was not sent, a sweep sends later.
BROKER_TIMEOUTS = {"socket_connect_timeout": 0.5, "socket_timeout": 5.0, **connections.redis_options(BROKER_URL)}
BROKER_RETRIES = {"max_retries": 1, "interval_start": 0, "interval_step": 0.1, "interval_max": 0.1}
