"""The socket of a match and its address: read where the viewer is, and follow from there."""

import asyncio
import logging
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qs

from django.urls import path, re_path
from structlog.contextvars import bind_contextvars

from live.consumers import CLOSE_TROUBLE, LiveConsumer, NowhereConsumer, SocketConsumer
from matches.live.match_reader import read_ticket
from matches.live.match_stream import CLOSE_UNKNOWN, ReplayPosition, read_position, watched
from matches.models import Audience
from web.topics import RequestError, is_topic

logger = logging.getLogger(__name__)


class MatchConsumer(SocketConsumer):
    """``/ws/matches/5/?since=1.0.57``: the frames of a match after those the viewer has (attempt, game, frame).

    A match that is not everyone's is shown to those who bring the ``ticket`` that its page holds.

    Messages, by ``type``: "attempt" (its number; another than before voids all frames), "state", "frames" (see
    ``replay.frame_encoding``, with ``game`` and the number of the ``first``), "finished" (``url`` of the result).
    """

    task: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        await self.accept()
        query = parse_qs(self.scope["query_string"].decode("latin-1"))
        match_id = self.scope["url_route"]["kwargs"]["match_id"]
        if not is_topic(f"match.{match_id}"):  # longer than any id, and than the name of a group may be
            await self.close(CLOSE_UNKNOWN)
            return
        bind_contextvars(match_id=match_id)  # on lines of the log
        try:
            since = read_position(query.get("since", [""])[0])
            audience = read_ticket(query.get("ticket", [""])[0], match_id)
        except RequestError as error:
            await self.refuse(error)
        else:
            self.task = asyncio.create_task(self._follow(match_id, audience, since))

    async def stop(self) -> None:
        if self.task is not None:
            self.task.cancel()
            with suppress(asyncio.CancelledError):
                await self.task

    async def asked(self, text: str | None) -> None:
        raise RequestError("unknown_request", "a match is only watched: open the socket with ?since=attempt.game.frame")

    async def _follow(self, match_id: int, audience: Audience, since: ReplayPosition) -> None:
        code = CLOSE_TROUBLE
        try:
            async with watched(match_id, audience) as stream:
                code = await stream.follow(self.base_send, since, self.writes_at_once())
        except Exception:
            logger.exception("live: a socket is closed, its page will come back")
        await self.close(code)


websocket_urlpatterns: list[Any] = [
    path("ws/live/", LiveConsumer.as_asgi()),  # type: ignore[arg-type]
    path("ws/matches/<int:match_id>/", MatchConsumer.as_asgi()),  # type: ignore[arg-type]
    re_path("", NowhereConsumer.as_asgi()),  # type: ignore[arg-type]  # Channels itself answers with an exception
]
