"""How connections to servers end of which nothing is heard any more.

A network that is cut says nothing. Who has just sent something then waits about as long again as the cut was, for TCP
asks less and less often; who only listens waits for ever. So after ``SILENT_SECONDS`` without a word the kernel asks,
and after as many again without an answer the connection is lost, and a new one made.
"""

import socket
from typing import Any, Final

import redis
import redis.asyncio

SILENT_SECONDS: Final = 4
_GIVEN_UP_MS: Final = 2000 * SILENT_SECONDS
# As libpq takes them, which leaves out what a local socket has no use for.
POSTGRES: Final[dict[str, Any]] = {
    "keepalives_idle": SILENT_SECONDS,
    "keepalives_interval": SILENT_SECONDS // 2,
    "keepalives_count": 2,
    "tcp_user_timeout": _GIVEN_UP_MS,
}


def redis_options(address: str) -> dict[str, Any]:
    """Return the same for a client of a Redis or Valkey server at ``address``; nothing for a local socket."""
    if address.startswith("unix:"):
        return {}
    wanted = {
        "TCP_KEEPIDLE": SILENT_SECONDS,
        "TCP_KEEPINTVL": SILENT_SECONDS // 2,
        "TCP_KEEPCNT": 2,
        "TCP_USER_TIMEOUT": _GIVEN_UP_MS,
    }
    # Not every system knows all of them.
    options = {getattr(socket, name): value for name, value in wanted.items() if hasattr(socket, name)}
    return {"socket_keepalive": True, "socket_keepalive_options": options}


class NoticingConnection(redis.asyncio.Connection):
    """A connection of redis-py that notices when the kernel has given it up.

    The kernel says then what asyncio says of a read that took too long, ``TimeoutError``, and redis-py takes the one
    for the other: a reader with a timeout, as the channel layer is, learns at once that nothing came, reads
    again, and the event loop never does anything else.
    """

    async def read_response(self, *args: Any, **kwargs: Any) -> Any:
        """Return what came, None where that is nothing yet.

        Raises:
            redis.ConnectionError: nothing will come any more.
        """
        response = await super().read_response(*args, **kwargs)
        lost = self._reader.exception() if response is None and self._reader else None
        if lost is not None:
            await self.disconnect(nowait=True)
            raise redis.ConnectionError(f"the connection is lost: {lost}") from lost
        return response


def redis_channel_host(address: str) -> dict[str, Any]:
    """Return a host of the channel layer."""
    options = {"address": address, "socket_connect_timeout": 0.5, **redis_options(address)}
    return options | ({"connection_class": NoticingConnection} if address.startswith("redis:") else {})
