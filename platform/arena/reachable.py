"""Check that the database and the Redis servers answer, or exit with one sentence that says which one does not."""

import time
from typing import Final

import redis
from django.conf import settings
from django.db import connection
from django.db.utils import InterfaceError, OperationalError

from arena.settings.environment import EX_TEMPFAIL, environment_refuse

PATIENCE: Final = 5.0  # seconds, for servers that start at the same time


def reachable_database_require() -> None:
    """Exit unless the database answers."""
    try:
        connection.close()
        connection.ensure_connection()
    except (OperationalError, InterfaceError) as error:
        why = str(error).splitlines()[0]
        sentence = f"DATABASE_URL: the database cannot be reached ({why}): start its server or correct the address."
        environment_refuse(sentence, EX_TEMPFAIL)


def reachable_silent_servers(patience: float = PATIENCE) -> dict[str, str]:
    """Return the Redis or Valkey servers that do not answer within ``patience`` seconds: the name of the setting, and
    the error."""
    deadline = time.monotonic() + patience
    while True:
        silent = {}
        for address, variable in settings.SERVERS.items():
            if why := _silence(address):
                silent[variable or "REDIS_URL"] = why
        if not silent or time.monotonic() > deadline:
            return silent
        time.sleep(0.2)


def reachable_servers_require(patience: float = PATIENCE) -> None:
    """Exit unless every Redis or Valkey server of the settings answers within ``patience`` seconds."""
    for variable, why in reachable_silent_servers(patience).items():
        environment_refuse(
            f"{variable}: no Redis or Valkey server answers ({why}): start it or correct the address.", EX_TEMPFAIL
        )


def _silence(address: str) -> str:
    """Return the error if the server does not answer, else ""."""
    try:
        with redis.Redis.from_url(address, socket_timeout=2, socket_connect_timeout=2) as client:
            client.ping()
    except redis.RedisError as error:
        return str(error).splitlines()[0]
    return ""
