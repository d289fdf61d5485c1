"""Whether somebody looks at the site: what nobody but a spectator needs may rest while there is none."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

from django.core.cache import caches

KEY: Final = "visited"
REMEMBERED: Final = 15 * 60  # seconds: so long after the last visitor the site is taken to be watched
NOTED_EVERY: Final = 60.0  # seconds, by each process
UNATTENDED: Final = frozenset({"/healthz", "/readyz", "/metrics"})  # asked by machines
_noted = -NOTED_EVERY  # by the monotonic clock of this process


def visit_note() -> None:
    """Note that somebody looks at the site now."""
    caches["optional"].set(KEY, True, REMEMBERED)


def is_visited() -> bool:
    """Tell whether somebody has visited the site within the last minutes."""
    return bool(caches["optional"].get(KEY))


def visit_note_in_background() -> None:
    """Note a visit from an event loop, which must not wait for the cache, once a minute."""
    global _noted
    now = time.monotonic()
    if now - _noted >= NOTED_EVERY:
        _noted = now
        asyncio.get_running_loop().run_in_executor(None, visit_note)


def visits_noted(app: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """Return the ASGI application ``app`` with its requests noted as visits."""

    async def noted(scope: Any, receive: Any, send: Any) -> Any:
        if scope["path"] not in UNATTENDED:
            visit_note_in_background()
        return await app(scope, receive, send)

    return noted
