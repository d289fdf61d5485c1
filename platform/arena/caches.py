"""Redis caches that handle an unavailable server: one raises an error, the other acts like an empty cache.

After an error the server is not asked again for ``REST_SECONDS``. So a page with ten look-ups waits only once.
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
# The rooms whose code determines how cached pickles are read.
ROOMS: Final = ("bots", "platform", "sandbox", "tournaments")
# The results of an empty cache, by method of Django's Redis client.
EMPTY: Final[Mapping[str, Callable[..., Any]]] = {
    "add": lambda _key, _value, _timeout: True,
    "get": lambda _key, default: default,
    "get_many": lambda _keys: {},
    "set_many": lambda data, _timeout: list(data),
}

_clients: list[tuple[list[str], Mapping[str, Any], RedisCacheClient]] = []
_finding = threading.Lock()
_rests_until: dict[str, float] = {}  # by address of the server, for all threads


class CacheAway(ConnectionError):
    """The server of a required cache does not answer."""


class _Guarded:
    """Django's Redis client. Every call raises ``CacheAway`` if the server does not answer."""

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
    """Like ``_Guarded``, but return the results of an empty cache if the server does not answer."""

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
    """Return the client for these servers and options. All threads of this process share the client and its connection
    pool.
    """
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
    """The cache for rate limits. Raise ``CacheAway`` rather than skip a limit; pages then return 503."""

    guard: type[_Guarded] = _Guarded

    @cached_property
    def _cache(self) -> Any:
        # Django has a cache object for each thread and request. All of them share one client: otherwise each would open
        # a connection.
        servers: list[str] = self._servers  # type: ignore[attr-defined]
        return self.guard(_client(servers, self._options), servers[0])  # type: ignore[attr-defined]


class OptionalCache(NeededCache):
    """The cache for what can be computed again. Without its server it stores nothing and raises nothing.

    Values are pickles, which only the same code can read. So the keys of two releases on one server differ.
    """

    guard = _Spared

    def make_key(self, key: Any, version: int | None = None) -> str:
        """Return the key of the server's entry for this release."""
        return str(super().make_key(f"{caches_release_digest()}/{key}", version))


@cache
def caches_release_digest() -> str:
    """Return a digest of this release's modules. It is computed once in each process, which takes some 20 ms."""
    digest = sha256()
    for room in ROOMS:
        for path in sorted((settings.BASE_DIR / room).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
