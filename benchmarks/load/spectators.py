"""Spectators by WebSocket: most follow a tournament that is being played, the others watch a match.

Of the tournament each announcement is timed from when the server of channels has it from a worker until a viewer is
sent it, or one after it. The match is played by us, five messages a second as where one is slowed down to be watched:
each is timed from before the write.
"""

import asyncio
import bisect
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Any, Final

import redis
from asgiref.sync import sync_to_async

from benchmarks.broadcast import PACE_SECONDS, running_match
from benchmarks.crowd import Crowd
from benchmarks.load.figures import Notes
from benchmarks.page_cells import PageCells
from live.hub import hub_layer, hub_message
from matches.models import MatchLog

OF_TOURNAMENT: Final = "sockets: tournament"
OF_MATCH: Final = "sockets: match"
WARM: Final = 3  # messages that are not counted
IN_SECONDS: Final = 60.0  # for all viewers to come in, while pages are asked for
LAST_SECONDS: Final = 5.0  # in which what was published last may come
EARLY: Final = 0.005  # seconds by which a viewer may have it before we know of it


@contextmanager
def publications(server: str, topic: str) -> Iterator[list[float]]:
    """Note when each announcement of ``topic`` is published, by ``perf_counter``."""
    times: list[float] = []
    with redis.Redis.from_url(server).pubsub(ignore_subscribe_messages=True) as heard:
        heard.subscribe(f"asgi__group__{topic}")
        over = threading.Event()

        def listen() -> None:
            while not over.is_set():
                if heard.get_message(timeout=0.2):
                    times.append(time.perf_counter())

        thread = threading.Thread(target=listen, daemon=True)
        thread.start()
        try:
            yield times
        finally:
            over.set()
            thread.join()


async def follow_tournament(port: int, viewers: int, page: PageCells, server: str, notes: Notes, until: float) -> None:
    """Let ``viewers`` follow the ``page`` of a tournament, and note when each has each announcement."""
    crowd, topic = Crowd(viewers), page.ticket.partition(":")[0]
    await crowd.come(port, "/ws/live/", page.first_words())
    if not await _are_in(crowd, 2, notes, OF_TOURNAMENT):  # being let in, and "subscribed"
        return
    with publications(server, topic) as published:
        await asyncio.sleep(max(0.0, until - time.perf_counter()))
    await asyncio.sleep(LAST_SECONDS)
    deliveries_note(notes, published, crowd.heard())
    crowd.leave()


def deliveries_note(notes: Notes, published: Sequence[float], heard: Iterable[Sequence[float]]) -> None:
    """Note when each viewer knew of each publication; ``heard``: when each was sent something, in order."""
    for times in heard:
        for moment in published:
            told = bisect.bisect_left(times, moment - EARLY)
            if told < len(times):
                notes.note(OF_TOURNAMENT, max(0.0, times[told] - moment))
            else:
                notes.fail(OF_TOURNAMENT, "never heard of it")


async def watch_match(port: int, viewers: int, notes: Notes, until: float) -> None:
    """Play a match, five messages a second, before ``viewers``, and note when each has each."""
    match, record = await sync_to_async(running_match)()
    crowd = Crowd(viewers)
    await crowd.come(port, f"/ws/matches/{match.pk}/", b"")
    if not await _are_in(crowd, 4, notes, OF_MATCH):  # being let in, the attempt, the frames so far, the state
        return
    due = time.perf_counter()
    for number, (game, actions) in enumerate(_moves(record)):
        due = max(due + PACE_SECONDS, time.perf_counter())
        if due > until:
            break
        await asyncio.sleep(due - time.perf_counter())
        del crowd.came[:]
        begun = time.perf_counter()
        seen = {"match": match, "attempt": 1, "game": game}
        await MatchLog.objects.aupdate_or_create(**seen, defaults={"seed": record.seed, "actions": actions})
        await hub_layer().group_send(f"match.{match.pk}", hub_message(f"match.{match.pk}", {}))
        try:
            await crowd.all_have(1)
        except TimeoutError:
            notes.fail(OF_MATCH, "not delivered within 20 s")
            break
        if number >= WARM:
            for came in crowd.came:
                notes.note(OF_MATCH, came - begun)
    crowd.leave()


async def _are_in(crowd: Crowd, greetings: int, notes: Notes, group: str) -> bool:
    """Tell whether all viewers were greeted in time; noted if not, since the others go on."""
    try:
        await crowd.all_have(greetings, IN_SECONDS)
    except TimeoutError:
        notes.fail(group, f"not all let in within {IN_SECONDS:.0f} s")
        crowd.leave()
        return False
    return True


def _moves(record: Any) -> Iterator[tuple[int, str]]:
    """Yield the log of game after game, an action longer each time; all are played alike."""
    for game in count():
        for number in range(2 if game == 0 else 1, len(record.actions) + 1):
            yield game, "\n".join(record.actions[:number])
