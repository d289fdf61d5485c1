"""Programs that cannot do without the database or the broker say in one sentence that they cannot reach it, and end."""

import time
from typing import Final

import redis
from django.conf import settings
from django.db import connection
from django.db.utils import InterfaceError, OperationalError

from arena.settings.environment import EX_TEMPFAIL, environment_refuse

PATIENCE: Final = 5.0  # seconds for servers that are started together with us


def reachable_database_require() -> None:
    """End the process unless the database answers."""
    try:
        connection.close()
        connection.ensure_connection()
    except (OperationalError, InterfaceError) as error:
        why = str(error).splitlines()[0]
        sentence = f"DATABASE_URL: the database cannot be reached ({why}): start its server or correct the address."
        environment_refuse(sentence, EX_TEMPFAIL)


def reachable_silent_servers(patience: float = PATIENCE) -> dict[str, str]:
    """Return the Redis or Valkey servers that do not answer: the variable that names each, and why."""
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
    """End the process unless every Redis or Valkey server of the settings answers within ``patience`` seconds."""
    for variable, why in reachable_silent_servers(patience).items():
        environment_refuse(
            f"{variable}: no Redis or Valkey server answers ({why}): start it or correct the address.", EX_TEMPFAIL
        )


def _silence(address: str) -> str:
    """Return why the server does not answer; "" when it does."""
    try:
        with redis.Redis.from_url(address, socket_timeout=2, socket_connect_timeout=2) as client:
            client.ping()
    except redis.RedisError as error:
        return str(error).splitlines()[0]
    return ""
