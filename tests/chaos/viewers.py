"""Spectators: each follows a match by its socket, comes back when it is lost, and checks the frames as they come."""

import asyncio
import hashlib
import json
import random
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import psycopg
from django.db.models import Max
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException
from websockets.typing import Origin

from matches.live.match_reader import GAMES_KEPT
from matches.models import Game, MatchState
from matches.replay.frame_encoding import frame_encoding_compact_json, frame_encoding_of_record
from tests.chaos.invariants import Kind, Violation
from tests.chaos.site import Site

VIEWERS: Final = 8
PAUSE_SECONDS: Final = 0.5  # until a page comes back
PATIENCE: Final = 5.0  # seconds to connect
WATCHED: Final = "select id from matches_match where state = 'running' and min_action_ms > 0 order by id desc limit 3"


@dataclass(slots=True)
class SeenGame:
    """The frames that a viewer has of a game: how many, and a digest of them in order."""

    frames: int = 0
    digest: Any = field(default_factory=lambda: hashlib.blake2b(digest_size=16))

    def add(self, frame: Any) -> None:
        self.frames += 1
        self.digest.update(frame_encoding_compact_json(frame).encode() + b"\n")


@dataclass(slots=True)
class Viewer:
    """One spectator. ``seen`` has what it was shown of each (match, attempt, game), ``finished`` the ended ones."""

    site: Site
    rng: random.Random
    seen: dict[tuple[int, int, int], SeenGame] = field(default_factory=dict)
    watched: set[int] = field(default_factory=set)
    finished: set[int] = field(default_factory=set)
    wrong: list[str] = field(default_factory=list)
    last_message_at: float = 0.0  # by the monotonic clock
    returns: int = 0
    _over: bool = False
    _attempt: int = 0
    _last: tuple[int, int] | None = None  # game and frame

    async def watch(self, matches: list[int]) -> None:
        """Follow one match after another."""
        while True:
            fresh = [match for match in matches if match not in self.watched]
            if fresh:
                await self._watch_one(self.rng.choice(fresh))
            else:
                await asyncio.sleep(PAUSE_SECONDS)

    async def _watch_one(self, match: int) -> None:
        self.watched.add(match)
        self._attempt, self._last, self._over = 0, None, False
        origin = Origin(self.site.url)
        while not self._over:
            since = "" if self._last is None else f"?since={self._attempt}.{self._last[0]}.{self._last[1]}"
            address = f"{self.site.url.replace('http', 'ws')}/ws/matches/{match}/{since}"
            try:
                async with connect(address, origin=origin, open_timeout=PATIENCE, max_size=None) as socket:
                    async for text in socket:
                        self.hear(match, json.loads(text))
            except (OSError, TimeoutError, WebSocketException):
                self.returns += 1
            if not self._over:
                await asyncio.sleep(PAUSE_SECONDS)

    def hear(self, match: int, message: dict[str, Any]) -> None:
        """Take a message of the socket: see ``MatchConsumer``."""
        kind = message.get("type")
        if kind is None:
            return  # a heartbeat
        self.last_message_at = time.monotonic()
        if kind == "attempt":
            if message["attempt"] != self._attempt:
                self._attempt, self._last = message["attempt"], None
        elif kind == "finished":
            self._over = True
            self.finished.add(match)
        elif kind == "state":
            self._over = message["state"] == "cancelled"
        elif kind == "frames":
            self._take(match, message["game"], message["first"], message["frames"])

    def _take(self, match: int, game: int, first: int, frames: list[Any]) -> None:
        last_game, last_frame = self._last or (-1, -1)
        expected = last_frame + 1 if game == last_game else 0
        if game < last_game or first != expected:
            self.wrong.append(
                f"match {match}, attempt {self._attempt}: frame {first} of game {game} came after {self._last}"
            )
        shown = self.seen.setdefault((match, self._attempt, game), SeenGame())
        for frame in frames:
            shown.add(frame)
        self._last = (game, first + len(frames) - 1)


class Crowd:
    """All viewers, in a thread of their own."""

    def __init__(self, site: Site, rng: random.Random) -> None:
        self._site = site
        self._stop = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), name="viewers", daemon=True)
        self._matches: list[int] = []
        self.viewers = [Viewer(site, random.Random(rng.random())) for _ in range(VIEWERS)]

    def come(self) -> None:
        self._thread.start()

    def leave(self) -> None:
        self._stop.set()
        self._thread.join(30)

    def all_received_since(self, moment: float) -> bool:
        """Return whether every viewer has received a message since the monotonic time ``moment``."""
        return all(viewer.last_message_at > moment for viewer in self.viewers)

    async def _run(self) -> None:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(viewer.watch(self._matches)) for viewer in self.viewers]
            while not self._stop.is_set():
                await self._look()
                await asyncio.sleep(1)
            for task in tasks:
                task.cancel()

    async def _look(self) -> None:
        try:
            rows = await asyncio.to_thread(self._site.query, WATCHED)
        except psycopg.Error:
            return  # they stay with what they know
        self._matches[:] = [pk for (pk,) in rows]

    def counts(self) -> dict[str, int]:
        return {
            "frames seen": sum(game.frames for viewer in self.viewers for game in viewer.seen.values()),
            "sockets lost": sum(viewer.returns for viewer in self.viewers),
        }

    def violations(self) -> Iterator[Violation]:
        """Yield what was shown out of order, or otherwise than the records have it."""
        for number, viewer in enumerate(self.viewers):
            if not viewer.seen:
                yield Violation(Kind.LOST, f"viewer {number} saw nothing")
            for text in viewer.wrong:
                yield Violation(Kind.WRONG, f"viewer {number}: {text}")
            yield from viewer_wrong(f"viewer {number}", viewer)


def viewer_wrong(name: str, viewer: "Viewer") -> Iterator[Violation]:
    """Compare what a viewer has of each attempt that counts with the record: it is how the game began, and the whole of
    it in the last games of a match of which the viewer saw the end.
    """
    attempts = {match: attempt for match, attempt, _ in viewer.seen}
    games = Game.objects.filter(match__in=attempts, match__state=MatchState.FINISHED)
    last = dict(games.values_list("match").annotate(last=Max("index")))
    for game in games.select_related("match").order_by("match", "index").iterator(200):
        shown = viewer.seen.get((game.match_id, game.match.attempt, game.index))
        whole = game.match_id in viewer.finished and game.index > last[game.match_id] - GAMES_KEPT
        if shown is None:
            if whole:
                yield Violation(Kind.LOST, f"{name} lacks game {game.index} of match {game.match_id}")
            continue
        again, frames = SeenGame(), frame_encoding_of_record(game.index, bytes(game.record)).frames
        for frame in frames[: shown.frames]:
            again.add(json.loads(frame))
        if again.digest.digest() != shown.digest.digest():
            yield Violation(Kind.WRONG, f"{name} saw another game {game.index} of match {game.match_id}")
        elif whole and shown.frames < len(frames):
            yield Violation(Kind.LOST, f"{name} saw {shown.frames} of {len(frames)} frames of match {game.match_id}")
