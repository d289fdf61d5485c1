"""WebSocket spectators: most follow a running tournament, the others watch a match.

For the tournament, each announcement is timed from its arrival at the server of the channel layer until a viewer gets
it or a later one. The match is played by this program at five messages a second, as for a match that is slowed down for
spectators; each message is timed from before it is written.
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
WARM: Final = 3  # messages at the start that are not counted
IN_SECONDS: Final = 60.0  # for all viewers to connect, while pages are requested
LAST_SECONDS: Final = 5.0  # to wait for the last messages
EARLY: Final = 0.005  # seconds by which a viewer may get a message before its publication is recorded


@contextmanager
def publications(server: str, topic: str) -> Iterator[list[float]]:
    """Record when each announcement of ``topic`` is published, by ``perf_counter``."""
    times: list[float] = []
    with redis.Redis.from_url(server).pubsub(ignore_subscribe_messages=True) as pubsub:
        pubsub.subscribe(f"asgi__group__{topic}")
        over = threading.Event()

        def listen() -> None:
            while not over.is_set():
                if pubsub.get_message(timeout=0.2):
                    times.append(time.perf_counter())

        thread = threading.Thread(target=listen, daemon=True)
        thread.start()
        try:
            yield times
        finally:
            over.set()
            thread.join()


async def follow_tournament(port: int, viewers: int, page: PageCells, server: str, notes: Notes, until: float) -> None:
    """Let ``viewers`` follow the ``page`` of a tournament, and record when each gets each announcement."""
    crowd, topic = Crowd(viewers), page.ticket.partition(":")[0]
    await crowd.come(port, "/ws/live/", page.first_words())
    if not await _are_in(crowd, 2, notes, OF_TOURNAMENT):  # the connection and "subscribed"
        return
    with publications(server, topic) as published:
        await asyncio.sleep(max(0.0, until - time.perf_counter()))
    await asyncio.sleep(LAST_SECONDS)
    deliveries_note(notes, published, crowd.received_at())
    crowd.leave()


def deliveries_note(notes: Notes, published: Sequence[float], received: Iterable[Sequence[float]]) -> None:
    """Record the delay of each publication for each viewer. ``received`` has the times at which each got messages, in
    order."""
    for times in received:
        for moment in published:
            delivered = bisect.bisect_left(times, moment - EARLY)
            if delivered < len(times):
                notes.note(OF_TOURNAMENT, max(0.0, times[delivered] - moment))
            else:
                notes.fail(OF_TOURNAMENT, "never heard of it")


async def watch_match(port: int, viewers: int, notes: Notes, until: float) -> None:
    """Play a match at five messages a second for ``viewers``, and record when each gets each message."""
    match, record = await sync_to_async(running_match)()
    crowd = Crowd(viewers)
    await crowd.come(port, f"/ws/matches/{match.pk}/", b"")
    if not await _are_in(crowd, 4, notes, OF_MATCH):  # the connection, the attempt, the frames so far, the state
        return
    due = time.perf_counter()
    for number, (game, actions) in enumerate(_moves(record)):
        due = max(due + PACE_SECONDS, time.perf_counter())
        if due > until:
            break
        await asyncio.sleep(due - time.perf_counter())
        del crowd.came[:]
        begun = time.perf_counter()
        key = {"match": match, "attempt": 1, "game": game}
        await MatchLog.objects.aupdate_or_create(**key, defaults={"seed": record.seed, "actions": actions})
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
    """Return whether all viewers got their greetings in time. If not, record an error; the others continue."""
    try:
        await crowd.all_have(greetings, IN_SECONDS)
    except TimeoutError:
        notes.fail(group, f"not all let in within {IN_SECONDS:.0f} s")
        crowd.leave()
        return False
    return True


def _moves(record: Any) -> Iterator[tuple[int, str]]:
    """Yield the growing log of game after game, one action longer each time. All games are the same."""
    for game in count():
        for number in range(2 if game == 0 else 1, len(record.actions) + 1):
            yield game, "\n".join(record.actions[:number])
