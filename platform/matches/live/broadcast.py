"""One running match, shown to all its viewers in this process.

The database is read once for all of them, whenever the match is announced; the game is simulated once; each message is
encoded once. A viewer is a cursor into the journal: it reads at its own pace, and one that does not read costs nothing.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final
from weakref import WeakKeyDictionary

from channels.db import database_sync_to_async
from django.urls import reverse

from matches.live.hub import current_hub
from matches.live.journal import Journal, Position
from matches.live.projector import Look, Projector
from matches.live.story import GAMES_KEPT
from matches.models import MatchState

logger = logging.getLogger(__name__)

CLOSE_OVER: Final = 1000
CLOSE_UNKNOWN: Final = 4404
LOOK_AGAIN_SECONDS: Final = 5.0  # an announcement may be lost with the broker


class Broadcast:
    """The journal of a match, growing for as long as someone watches."""

    def __init__(self, match_id: int) -> None:
        self.viewers = 0
        self._match_id = match_id
        self._topic = f"match.{match_id}"
        self._projector = Projector(match_id)
        self._journal: Journal | None = None
        self._over = False
        self._due = asyncio.Event()
        self._changed = asyncio.Event()
        self._task = asyncio.create_task(self._run())

    async def follow(self, send: Callable[[str], Awaitable[None]], since: Position) -> int:
        """Sends a viewer all it lacks, then what comes, until the match is over. Returns the code to close with."""
        journal, at, told = None, 0, ""
        while True:
            if journal is not self._journal and self._journal is not None:
                journal, at, told = self._journal, 0, ""  # a new attempt: whatever was left of the old one is void
                await send(journal.opening)
            elif journal is not None and at < journal.end:
                at = max(at, journal.base)  # whole games are dropped, and the page can read those when asked
                text = journal.text_for(at, since)
                at += 1
                if text:
                    await send(text)
            elif journal is not None and journal.standing != told:
                told = journal.standing
                await send(told)
            elif self._over:
                return CLOSE_UNKNOWN if journal is None else CLOSE_OVER
            else:
                await self._changed.wait()

    async def stop(self) -> None:
        """The last viewer is gone."""
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    def _announced(self, topic: str, text: str) -> None:
        self._due.set()

    async def _run(self) -> None:
        try:
            await self._look()
            while not self._over:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._due.wait(), LOOK_AGAIN_SECONDS)
                self._due.clear()
                await self._look()
        finally:
            await current_hub().leave(self._topic, self._announced)

    async def _look(self) -> None:
        try:
            await current_hub().join(self._topic, self._announced)
            look = await database_sync_to_async(self._projector.look)()
        except Exception:  # a busy database, a lost broker: neither is the viewers' fault, the next look may do
            logger.exception("live: %s could not be read", self._topic)
            return
        if look is None:
            self._over = True
        else:
            self._tell(look)
        # Wakes everyone who waits now; each finds out for itself what is new.
        self._changed.set()
        self._changed.clear()

    def _tell(self, look: Look) -> None:
        journal = self._journal
        if journal is None or journal.attempt != look.attempt:
            journal = self._journal = Journal(look.attempt)
        for shot in look.shots:
            journal.add(shot.game, shot.first, shot.frames)
            journal.drop_before(shot.game - GAMES_KEPT + 1)
        if look.state == MatchState.FINISHED:
            journal.stands(type="finished", url=reverse("matches:detail", args=[self._match_id]))
        else:
            journal.stands(type="state", state=look.state)
        self._over = look.over


_broadcasts: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[int, Broadcast]] = WeakKeyDictionary()


@asynccontextmanager
async def watched(match_id: int) -> AsyncIterator[Broadcast]:
    """The broadcast of a match in this event loop; it runs while anyone is inside."""
    broadcasts = _broadcasts.setdefault(asyncio.get_running_loop(), {})
    broadcast = broadcasts.get(match_id)
    if broadcast is None:
        broadcast = broadcasts[match_id] = Broadcast(match_id)
    broadcast.viewers += 1
    try:
        yield broadcast
    finally:
        broadcast.viewers -= 1
        if not broadcast.viewers:
            del broadcasts[match_id]
            await broadcast.stop()
