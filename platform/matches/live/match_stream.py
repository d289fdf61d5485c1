"""The stream of one match to all its viewers in this process, and the socket of each viewer.

The work is done once for all viewers: after an announcement of the match, the database is read once, each game is
simulated once, and each message is encoded once. A viewer is a cursor into the ``ReplayBuffer``. It reads at its own
pace, and costs nothing while it does not read. The entries of an attempt are numbered, so that a viewer gets exactly
the entries that it lacks.
"""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qs
from weakref import WeakKeyDictionary

from channels.db import database_sync_to_async
from django.urls import path, re_path, reverse
from structlog.contextvars import bind_contextvars

from live.consumers import CLOSE_TROUBLE, LiveConsumer, NowhereConsumer, Send, SocketConsumer, SocketWriter, Write
from live.hub import current_hub
from matches.live.match_reader import GAMES_KEPT, MatchReader, MatchUpdate, match_reader_ticket_read
from matches.models import Audience, MatchState
from matches.replay.frame_encoding import FrameBatch, frame_encoding_compact_json
from web.topics import RequestError, topic_is_valid

SINCE: Final = re.compile(r"(\d{1,9})\.(\d{1,9})\.(\d{1,9})")


class ReplayPosition(NamedTuple):
    """The last frame a viewer has: frame ``n`` of game ``game`` of attempt ``attempt``."""

    attempt: int
    game: int
    n: int


START: Final = ReplayPosition(-1, -1, -1)


def match_stream_position_read(text: str) -> ReplayPosition:
    """Parse a position as the page writes it: "1.0.57", or "" if the viewer has no frames.

    Raises:
        RequestError: ``text`` is neither a position nor "".
    """
    if not text:
        return START
    found = SINCE.fullmatch(text)
    if found is None:
        raise RequestError("bad_position", f"'since' is attempt.game.frame, such as 1.0.57, not {text[:40]!r}")
    return ReplayPosition(*map(int, found.groups()))


@dataclass(frozen=True, slots=True)
class FrameMessage:
    """One message: the frames of ``batch``, encoded as ``text``."""

    batch: FrameBatch
    text: str

    def after(self, seen: ReplayPosition) -> str:
        """Return the message for a viewer who has the frames up to ``seen``; "" if the viewer has all of its frames."""
        batch = self.batch
        if batch.game > seen.game:
            return self.text
        if batch.game < seen.game or batch.first + len(batch.frames) - 1 <= seen.n:
            return ""
        return self.text if seen.n < batch.first else batch.part(seen.n + 1).json()


class ReplayBuffer:
    """The frames of one attempt, oldest first, and the state of the match. Frames of old games may be dropped."""

    __slots__ = ("_entries", "attempt", "base", "end", "opening", "standing")

    def __init__(self, attempt: int) -> None:
        self.attempt = attempt
        self.opening = frame_encoding_compact_json({"type": "attempt", "attempt": attempt})
        self.standing = ""  # the message about the state, for viewers who have all frames
        self.base = 0  # the number of the oldest entry in the buffer
        self.end = 0  # the number that the next entry gets
        self._entries: list[FrameMessage] = []

    def text_for(self, number: int, seen: ReplayPosition) -> str:
        """Return the message of entry ``number`` for a viewer who has the frames up to ``seen``.

        Return "" if the viewer has all of its frames.
        """
        entry = self._entries[number - self.base]
        return entry.after(seen) if seen.attempt == self.attempt else entry.text

    def add(self, batch: FrameBatch) -> None:
        """Add frames. They are encoded here, once for all viewers."""
        self._entries.append(FrameMessage(batch, batch.json()))
        self.end += 1

    def drop_before(self, game: int) -> None:
        """Drop the frames of games before ``game``."""
        dropped = sum(1 for _ in takewhile(lambda entry: entry.batch.game < game, self._entries))
        del self._entries[:dropped]
        self.base += dropped

    def set_standing(self, **standing: object) -> None:
        """Set the message about the state of the match."""
        self.standing = frame_encoding_compact_json(standing)


logger = logging.getLogger(__name__)

CLOSE_OVER: Final = 1000
CLOSE_UNKNOWN: Final = 4404
LOOK_AGAIN_SECONDS: Final = 5.0  # an announcement may be lost with the broker


class Cursor:
    """The position of one viewer. After the last message, ``over`` has the code for closing the socket."""

    __slots__ = ("_at", "_journal", "_since", "_standing", "_stream", "over")

    def __init__(self, stream: "MatchStream", since: ReplayPosition) -> None:
        self._stream = stream
        self._since = since
        self._journal: ReplayBuffer | None = None
        self._at = 0
        self._standing = ""
        self.over: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def next_text(self) -> str | None:
        """Return the next message that the viewer lacks; None if the viewer has all messages."""
        journal = self._stream.journal
        if journal is None:
            self._end(CLOSE_UNKNOWN)
            return None
        if journal is not self._journal:
            self._journal, self._at, self._standing = journal, 0, ""  # a new attempt: the rest of the old one is void
            return journal.opening
        while self._at < journal.end:
            at = max(self._at, journal.base)  # games may be dropped; the page can read them over HTTP
            self._at = at + 1
            if text := journal.text_for(at, self._since):
                self._since = START  # frames are in order, so the viewer lacks all later frames
                return text
        if journal.standing != self._standing:
            self._standing = journal.standing
            return self._standing
        if self._stream.over:
            self._end(CLOSE_OVER)
        return None

    def _end(self, code: int) -> None:
        if self._stream.over and not self.over.done():
            self.over.set_result(code)


class MatchStream:
    """Fills the replay buffer of a match for one audience, for as long as there are viewers."""

    def __init__(self, match_id: int, audience: Audience) -> None:
        self.journal: ReplayBuffer | None = None
        self.over = False
        self.viewers = 0
        self.outlets: set[SocketWriter] = set()
        self._match_id = match_id
        self._topic = f"match.{match_id}"
        self._projector = MatchReader(match_id, audience)
        self._due = asyncio.Event()
        self._task = asyncio.create_task(self._run())

    async def follow(self, send: Send, since: ReplayPosition, write: Write | None = None) -> int:
        """Send a viewer all messages that it lacks, and new ones until the match is over.

        Return the code for closing the socket. It is ``CLOSE_TROUBLE`` if reading the match failed.
        """
        cursor = Cursor(self, since)
        outlet = SocketWriter(send, cursor.next_text, write)
        self.outlets.add(outlet)
        try:
            outlet.wake()
            await asyncio.wait((cursor.over, self._task), return_when=asyncio.FIRST_COMPLETED)
            if not self.over:
                logger.error("live: %s is no longer read, its viewers will reconnect: %r", self._topic, self._task)
                return CLOSE_TROUBLE
            return await cursor.over
        finally:
            self.outlets.discard(outlet)
            await outlet.close()

    async def stop(self) -> None:
        """Stop, because the last viewer has left."""
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    def _announced(self, topic: str, _kind: str, text: str) -> None:
        self._due.set()

    async def _run(self) -> None:
        try:
            await self._look()
            look_at = asyncio.get_running_loop().time() + LOOK_AGAIN_SECONDS
            while not self.over:
                air = self._projector.air
                pause = look_at - asyncio.get_running_loop().time()
                beat = air.seconds_to_next() if air else None
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._due.wait(), max(0.0, pause if beat is None else min(pause, beat)))
                if air is not None:
                    self._append_frames(air.due())
                    self._wake()
                if self._due.is_set() or asyncio.get_running_loop().time() >= look_at:
                    self._due.clear()
                    await self._look()
                    look_at = asyncio.get_running_loop().time() + LOOK_AGAIN_SECONDS
        finally:
            await current_hub().leave(self._topic, self._announced)

    async def _look(self) -> None:
        try:
            await current_hub().join(self._topic, self._announced)
        except Exception:  # without the broker, the match is read at intervals until it is back
            logger.exception("live: announcements of %s are not heard", self._topic)
        try:
            look = await database_sync_to_async(self._projector.look)()
        except Exception:  # the database may be busy, and the next read may succeed
            logger.exception("live: %s could not be read", self._topic)
            return
        if look is None:
            self.journal, self.over = None, True
        else:
            self._append(look)
        self._wake()

    def _wake(self) -> None:
        for outlet in tuple(self.outlets):
            outlet.wake()

    def _append(self, look: MatchUpdate) -> None:
        journal = self.journal
        if journal is None or journal.attempt != look.attempt:
            journal = self.journal = ReplayBuffer(look.attempt)
        self._append_frames(look.batches)
        if look.state == MatchState.FINISHED:
            journal.set_standing(type="finished", url=reverse("matches:detail", args=[self._match_id]))
        else:
            on_air = {} if look.airs is None else {"airs": look.airs}
            journal.set_standing(type="state", state=look.state, **on_air)
        self.over = look.over

    def _append_frames(self, batches: Sequence[FrameBatch]) -> None:
        if self.journal is not None:
            for batch in batches:
                self.journal.add(batch)
                self.journal.drop_before(batch.game - GAMES_KEPT + 1)


_streams: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[tuple[int, Audience], MatchStream]] = WeakKeyDictionary()


@asynccontextmanager
async def match_stream_watched(match_id: int, audience: Audience) -> AsyncIterator[MatchStream]:
    """Share the stream of a match for an audience in this event loop. The stream stops after its last viewer."""
    streams = _streams.setdefault(asyncio.get_running_loop(), {})
    stream = streams.get((match_id, audience))
    if stream is None:
        stream = streams[match_id, audience] = MatchStream(match_id, audience)
    stream.viewers += 1
    try:
        yield stream
    finally:
        stream.viewers -= 1
        if not stream.viewers:
            del streams[match_id, audience]
            await stream.stop()


class MatchConsumer(SocketConsumer):
    """``/ws/matches/5/?since=1.0.57``: the frames of a match after the given one (attempt, game, frame).

    Unless everybody with the address may see the match, this requires the ``ticket`` from its page.

    Every message has a ``type``:

    - "attempt": the number of the attempt; a new number voids all frames

    - "state": the ``state`` of the match; while it is on air, also ``airs``, T0 in milliseconds since 1970

    - "frames": see ``replay.frame_encoding``; with ``game``, and the number of the ``first`` frame

    - "finished": the ``url`` of the result
    """

    task: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        await self.accept()
        query = parse_qs(self.scope["query_string"].decode("latin-1"))
        match_id = self.scope["url_route"]["kwargs"]["match_id"]
        if not topic_is_valid(
            f"match.{match_id}"
        ):  # the number is longer than any id, and too long for the name of a Channels group
            await self.close(CLOSE_UNKNOWN)
            return
        bind_contextvars(match_id=match_id)  # for log lines
        try:
            since = match_stream_position_read(query.get("since", [""])[0])
            audience = match_reader_ticket_read(query.get("ticket", [""])[0], match_id)
        except RequestError as error:
            await self.refuse(error)
        else:
            self.task = asyncio.create_task(self._follow(match_id, audience, since))

    async def stop(self) -> None:
        if self.task is not None:
            self.task.cancel()
            with suppress(asyncio.CancelledError):
                await self.task

    async def handle_request(self, text: str | None) -> None:
        raise RequestError("unknown_request", "a match is only watched: open the socket with ?since=attempt.game.frame")

    async def _follow(self, match_id: int, audience: Audience, since: ReplayPosition) -> None:
        code = CLOSE_TROUBLE
        try:
            async with match_stream_watched(match_id, audience) as stream:
                code = await stream.follow(self.base_send, since, self.writes_at_once())
        except Exception:
            logger.exception("live: a socket was closed, its page will reconnect")
        await self.close(code)


websocket_urlpatterns: list[Any] = [
    path("ws/live/", LiveConsumer.as_asgi()),  # type: ignore[arg-type]
    path("ws/matches/<int:match_id>/", MatchConsumer.as_asgi()),  # type: ignore[arg-type]
    re_path("", NowhereConsumer.as_asgi()),  # type: ignore[arg-type]  # Channels itself answers with an exception
]
