"""A silent connection is closed within seconds, earlier than by the timeouts of TCP."""

import asyncio
import errno
import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import redis

from arena.caches import NeededCache, OptionalCache
from arena.settings.connections import POSTGRES, SILENT_SECONDS, NoticingConnection, connection_redis_options

SHOWN = """
import json
from arena.settings import stores
cache, broker = stores.CACHES["default"]["OPTIONS"], stores.BROKER_TIMEOUTS
[channels] = stores.CHANNEL_LAYERS["default"]["CONFIG"]["hosts"]
kept = [one.get("socket_keepalive", False) for one in (cache, broker, channels)]
notices = getattr(channels.get("connection_class"), "__name__", "")
print(json.dumps({"database": stores.DATABASES["default"]["OPTIONS"], "kept": kept, "notices": notices}))
"""


def connection_options(tmp_path: Path, **addresses: str) -> dict[str, object]:
    """Return the options of connections to these addresses."""
    environment = {**os.environ, "PECKING_ORDER_VAR": str(tmp_path), **addresses}
    command = [sys.executable, "-c", SHOWN]
    shown: dict[str, object] = json.loads(
        subprocess.run(command, env=environment, check=True, capture_output=True).stdout
    )
    return shown


def test_a_redis_client_sends_keepalives_and_times_out() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        connection = redis.Connection(
            host="127.0.0.1", port=port, **connection_redis_options(f"redis://127.0.0.1:{port}")
        )
        with connection._connect() as sock:
            assert sock.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
            assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == SILENT_SECONDS
            assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 2000 * SILENT_SECONDS


@pytest.mark.processes
def test_all_stores_do_where_they_are_reached_over_a_network(tmp_path: Path) -> None:
    stores = connection_options(
        tmp_path, DATABASE_URL="postgres://peck@192.0.2.1/peck", REDIS_URL="redis://192.0.2.1:6379/0"
    )
    assert stores == {
        "database": {"connect_timeout": 3, **POSTGRES},
        "kept": [True] * 3,
        "notices": "NoticingConnection",
    }


@pytest.mark.processes
def test_options_in_the_address_of_the_database_take_precedence(tmp_path: Path) -> None:
    stores = connection_options(
        tmp_path, DATABASE_URL="postgres://peck@192.0.2.1/peck?keepalives_idle=60", REDIS_URL=""
    )
    assert stores["database"] == {"connect_timeout": 3, **POSTGRES, "keepalives_idle": 60}


@pytest.mark.processes
@pytest.mark.parametrize("address", ["unix:///run/valkey.sock", "unix:///run/valkey.sock?db=1"])
def test_local_sockets_need_none_of_it(address: str, tmp_path: Path) -> None:
    assert connection_redis_options(address) == {}
    stores = connection_options(tmp_path, DATABASE_URL="", REDIS_URL=address)
    assert (stores["kept"], stores["notices"]) == ([False] * 3, "")


async def test_a_connection_closed_by_the_kernel_is_an_error_and_a_slow_read_is_not() -> None:
    connection = NoticingConnection()
    connection._reader = asyncio.StreamReader()
    connection._parser.on_connect(connection)
    assert await connection.read_response(timeout=0.01) is None  # nothing came yet
    connection._reader.set_exception(TimeoutError(errno.ETIMEDOUT, "Connection timed out"))
    with pytest.raises(redis.ConnectionError, match="lost"):
        await connection.read_response(timeout=0.01)


def test_all_threads_and_requests_share_the_connections_to_a_cache() -> None:
    options = {"OPTIONS": {"socket_timeout": 1.0}}
    one, other = (OptionalCache("redis://127.0.0.1:1/0", options)._cache for _ in range(2))
    needed = NeededCache("redis://127.0.0.1:1/0", options)._cache
    pools = {id(client.get_client().connection_pool) for client in (one, other, needed)}
    assert len(pools) == 1


def test_caches_that_are_set_otherwise_share_none() -> None:
    caches = [OptionalCache("redis://127.0.0.1:1/0", {"OPTIONS": {"socket_timeout": one}})._cache for one in (1.0, 2.0)]
    assert len({id(client.get_client().connection_pool) for client in caches}) == 2


def test_two_caches_of_one_server_with_other_options_have_a_pool_each() -> None:
    address = "redis://192.0.2.1:6379/0"
    patient, quick = ({"OPTIONS": {"socket_timeout": seconds}} for seconds in (5.0, 1.0))
    by_turns = [NeededCache(address, options)._cache._client for options in (patient, quick, patient, quick)]
    pools = [client.get_client().connection_pool for client in by_turns]
    assert pools[0] is pools[2] is not pools[1] is pools[3]
    assert [pool.connection_kwargs["socket_timeout"] for pool in pools[:2]] == [5.0, 1.0]
