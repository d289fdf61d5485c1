"""Caches on a server that may be away: one that is needed, and one that only saves work.

A server that did not answer is not asked again for ``REST_SECONDS``, so that a page which asks it ten times waits once.
"""

import threading
import time
from collections.abc import Callable, Mapping
from functools import cache
from hashlib import sha256
from typing import Any, Final

import redis
from django.conf import settings
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from django.utils.functional import cached_property

REST_SECONDS: Final = 2.0
ROOMS: Final = ("bots", "platform", "sandbox", "tournaments")  # whose objects are kept
# What an empty cache would answer, by the method of Django's client for Redis.
EMPTY: Final[Mapping[str, Callable[..., Any]]] = {
    "add": lambda _key, _value, _timeout: True,
    "get": lambda _key, default: default,
    "get_many": lambda _keys: {},
    "set_many": lambda data, _timeout: list(data),
}

_clients: list[tuple[list[str], Mapping[str, Any], RedisCacheClient]] = []
_finding = threading.Lock()
_rests_until: dict[str, float] = {}  # by the address of the server, for all threads


class CacheAway(ConnectionError):
    """The cache does not answer, and what was asked of it cannot be done without."""


class _Guarded:
    """Django's client for Redis, whose every call raises ``CacheAway`` when the server does not answer."""

    def __init__(self, client: Any, server: str) -> None:
        self._client = client
        self._server = server

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self._client, name)

        def guarded(*args: Any, **kwargs: Any) -> Any:
            if time.monotonic() < _rests_until.get(self._server, 0):
                raise CacheAway("the cache does not answer")
            try:
                return method(*args, **kwargs)
            except (redis.ConnectionError, redis.TimeoutError, redis.BusyLoadingError, OSError) as error:
                _rests_until[self._server] = time.monotonic() + REST_SECONDS
                raise CacheAway(f"the cache does not answer: {error}") from error

        return guarded


class _Spared(_Guarded):
    """The same, but a server that does not answer is taken for an empty cache."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        guarded = super().__getattr__(name)

        def spared(*args: Any, **kwargs: Any) -> Any:
            try:
                return guarded(*args, **kwargs)
            except CacheAway:
                empty: Callable[..., Any] = EMPTY.get(name, _nothing)
                return empty(*args, **kwargs)

        return spared


def _client(servers: list[str], options: Mapping[str, Any]) -> RedisCacheClient:
    """Return the client of these servers with these options, with its pool of connections, for all threads of this
    process."""
    with _finding:
        for of_servers, with_options, client in _clients:
            if (of_servers, with_options) == (servers, options):
                return client
        client = RedisCacheClient(servers, **options)
        _clients.append((servers, dict(options), client))
    return client


def _nothing(*_args: Any, **_kwargs: Any) -> bool:
    return False


class NeededCache(RedisCache):
    """For limits: it raises ``CacheAway`` rather than let anybody past. Pages answer that with 503."""

    guard: type[_Guarded] = _Guarded

    @cached_property
    def _cache(self) -> Any:
        # Django has a cache for each thread and each request, and each would open a connection: the pool is for all.
        servers: list[str] = self._servers  # type: ignore[attr-defined]
        return self.guard(_client(servers, self._options), servers[0])  # type: ignore[attr-defined]


class OptionalCache(NeededCache):
    """For what can be computed again: without its server it keeps nothing and never raises.

    What it keeps are pickles, which only the same code can read: two releases that share a server share none of it.
    """

    guard = _Spared

    def make_key(self, key: Any, version: int | None = None) -> str:
        """Return the key under which the server keeps it for this release."""
        return str(super().make_key(f"{caches_release_digest()}/{key}", version))


@cache
def caches_release_digest() -> str:
    """Return a digest of this release's modules; to read them takes some 20 ms, once a process."""
    digest = sha256()
    for room in ROOMS:
        for path in sorted((settings.BASE_DIR / room).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
