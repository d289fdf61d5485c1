"""Do something soon after it is asked for, and not more often than once in a while."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from math import inf
from time import monotonic

logger = logging.getLogger(__name__)


class Paced:
    """``do`` is called after each ``wake``, once for several, and again ``seconds`` after it began at the earliest."""

    __slots__ = ("_begun", "_do", "_seconds", "_task", "_woken")

    def __init__(self, do: Callable[[], Awaitable[None]], seconds: float) -> None:
        self._do = do
        self._seconds = seconds
        self._begun = -inf
        self._woken = False
        self._task: asyncio.Task[None] | None = None

    def wake(self) -> None:
        """Have it done. Never waits and never raises."""
        self._woken = True
        if self._task is None:
            self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        try:
            while self._woken:
                await asyncio.sleep(max(0.0, self._begun + self._seconds - monotonic()))
                self._woken = False
                self._begun = monotonic()
                try:
                    await self._do()
                except Exception:  # what is asked for next is done all the same
                    logger.exception("live: what was to be done was not")
        finally:
            self._task = None
