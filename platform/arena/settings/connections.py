"""Detect lost TCP connections to PostgreSQL and Redis within seconds.

A network failure is silent. TCP retries a transmission less and less often, so a sender waits about twice as long as
the failure lasts. A reader waits for ever. With these settings, the kernel probes the connection after
``SILENT_SECONDS`` of silence, and ends it after as many seconds again without a reply. The client then opens a new
connection.
"""

import socket
from typing import Any, Final

import redis
import redis.asyncio

SILENT_SECONDS: Final = 4
_GIVEN_UP_MS: Final = 2000 * SILENT_SECONDS
# Options of libpq, which ignores them for a local socket.
POSTGRES: Final[dict[str, Any]] = {
    "keepalives_idle": SILENT_SECONDS,
    "keepalives_interval": SILENT_SECONDS // 2,
    "keepalives_count": 2,
    "tcp_user_timeout": _GIVEN_UP_MS,
}


def connection_redis_options(address: str) -> dict[str, Any]:
    """Return the same options for a Redis or Valkey client; none for a local socket."""
    if address.startswith("unix:"):
        return {}
    wanted = {
        "TCP_KEEPIDLE": SILENT_SECONDS,
        "TCP_KEEPINTVL": SILENT_SECONDS // 2,
        "TCP_KEEPCNT": 2,
        "TCP_USER_TIMEOUT": _GIVEN_UP_MS,
    }
    # Not every system has all of these options.
    options = {getattr(socket, name): value for name, value in wanted.items() if hasattr(socket, name)}
    return {"socket_keepalive": True, "socket_keepalive_options": options}


class NoticingConnection(redis.asyncio.Connection):
    """A redis-py connection that detects that the kernel has closed it.

    The kernel reports a lost connection as ``TimeoutError``, which redis-py takes for a read timeout. Without this
    class, a reader with a timeout, such as the channel layer, would return at once and read again, without end, and so
    block the event loop.
    """

    async def read_response(self, *args: Any, **kwargs: Any) -> Any:
        """Return the response, or None if nothing has arrived in time.

        Raises:
            redis.ConnectionError: the connection is lost.
        """
        response = await super().read_response(*args, **kwargs)
        lost = self._reader.exception() if response is None and self._reader else None
        if lost is not None:
            await self.disconnect(nowait=True)
            raise redis.ConnectionError(f"the connection is lost: {lost}") from lost
        return response


def connection_redis_channel_host(address: str) -> dict[str, Any]:
    """Return a host entry of the channel layer."""
    options = {"address": address, "socket_connect_timeout": 0.5, **connection_redis_options(address)}
    return options | ({"connection_class": NoticingConnection} if address.startswith("redis:") else {})
