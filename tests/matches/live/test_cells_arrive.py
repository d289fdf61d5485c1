"""Whatever is delayed, lost, replaced or refused: in the end every viewer has the newest cells, and never a mixture."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from matches.live import pushed_cells
from matches.live.consumers import LatestByTopic, LiveConsumer
from matches.live.pushed_cells import CellsAnswer, cells_answered_by
from matches.live.socket_writer import SocketWriter
from tests.examples import examples
from web.topics import CellsRequest, topic_ticket

CUP, SRC = "tournament.5", "/tournaments/cup/live/"
CELLS = ("one", "two", "three")
VIEWERS, ENOUGH = 3, 200


class Site:
    """Three cells; ``history`` has what was in them in each state, of which it knows the later ones."""

    def __init__(self) -> None:
        self.cells = dict.fromkeys(CELLS, 0)
        self.history: dict[str, dict[str, int]] = {}
        self.known: set[str] = set()
        self.asked: list[tuple[asyncio.Future[bool], CellsAnswer]] = []
        self.is_told = True  # of all changes

    def change(self, which: int) -> None:
        self.is_told = False
        self.cells[CELLS[which % len(CELLS)]] += 1

    def answer(self, have: str) -> CellsAnswer:
        """What there is now: all of it, or what has changed."""
        state = "".join(f"{self.cells[name]:08x}" for name in CELLS).ljust(32, "0")
        before = self.history[have] if have in self.known else {}
        self.history[state] = dict(self.cells)
        self.known.add(state)
        changed = {name: value for name, value in self.cells.items() if before.get(name) != value}
        return CellsAnswer(state, 0, json.dumps(changed))

    async def __call__(self, _wanted: CellsRequest, have: str, _scope: Any) -> CellsAnswer | None:
        answer, done = self.answer(have), asyncio.get_running_loop().create_future()
        self.asked.append((done, answer))
        return answer if await done else None


class Viewer:
    """A page with its socket, as ``live-cells.js`` goes about it."""

    def __init__(self, site: Site) -> None:
        self.site = site
        first = site.answer("")
        self.state, self.cells = first.state, json.loads(first.html)
        self.reads = asyncio.Event()
        self.reads.set()
        self.is_due = self.is_busy = self.again = False
        self.answer: CellsAnswer | None = None
        self.connect()

    def connect(self) -> None:
        self.came: list[dict[str, Any]] = [{"subscribed": [CUP]}]
        self.consumer = LiveConsumer()
        self.consumer.scope = {"type": "websocket", "headers": []}
        self.consumer.topics, self.consumer.cells, self.consumer.mailbox = {CUP}, {}, LatestByTopic()
        self.consumer._is_greeted = lambda: True  # type: ignore[method-assign]  # or it would wait for a second
        self.consumer.outlet = SocketWriter(self.send, self.consumer.mailbox.next_text, self.write)

    async def reconnect(self) -> None:
        self.consumer.topics.clear()  # no hub was joined
        await self.consumer.stop()
        self.connect()

    def write(self, text: str) -> bool:
        if self.reads.is_set():
            self.came.append(json.loads(text))
        return self.reads.is_set()

    async def send(self, event: Any) -> None:
        await self.reads.wait()
        self.came.append(json.loads(event["text"]))

    async def want(self, due: int | None) -> None:
        cells = {"topic": topic_ticket(CUP), "src": SRC, "language": "de", "state": self.state, "due": due}
        await self.consumer.asked(json.dumps({"cells": [cells]}))

    async def hear(self) -> None:
        if not self.came:
            return
        message = self.came.pop(0)
        if "subscribed" in message:
            await self.want(0)
            self.is_due = False
        elif "html" in message and not self.is_busy and message["have"] == self.state:
            self.take(message["html"], message["state"])
        elif self.is_busy:
            self.again = True
        else:
            self.is_due = True

    def refresh(self) -> None:
        """Somebody pressed a button in the page."""
        self.again = self.again or self.is_busy
        self.is_due = self.is_due or not self.is_busy

    def take(self, html: str, state: str) -> None:
        self.cells |= json.loads(html)
        self.state = state
        assert self.cells == self.site.history[state], "a mixture of two states"

    def ask(self) -> None:
        if self.is_due and not self.is_busy:
            self.is_due, self.is_busy, self.again = False, True, False
            self.answer = self.site.answer(self.state)

    async def answered(self, *, fails: bool = False) -> None:
        if self.answer is None:
            return
        answer, self.answer, self.is_busy = self.answer, None, False
        if fails:
            self.is_due = True
            return
        self.take(answer.html, answer.state)
        await self.want(0 if self.again else None)


class World:
    def __init__(self) -> None:
        self.site = Site()
        cells_answered_by(self.site)
        self.viewers = [Viewer(self.site) for _ in range(VIEWERS)]

    def announce(self) -> None:
        self.site.is_told = True
        for viewer in self.viewers:
            viewer.consumer.hear(CUP, json.dumps({"topic": CUP}))

    def end_question(self, number: int, *, well: bool) -> None:
        if self.site.asked:
            self.site.asked.pop(number % len(self.site.asked))[0].set_result(well)

    async def step(self, what: str, number: int) -> None:
        viewer = self.viewers[number % VIEWERS]
        match what:
            case "change":
                self.site.change(number)
            case "news":
                self.site.change(number)
                self.announce()
            case "announce":
                self.announce()
            case "answer" | "fail":
                self.end_question(number, well=what == "answer")
            case "forget":
                self.site.known.clear()
            case "stall":
                viewer.reads.clear()
            case "read":
                viewer.reads.set()
            case "hear":
                await viewer.hear()
            case "ask":
                viewer.ask()
            case "answered" | "unanswered":
                await viewer.answered(fails=what == "unanswered")
            case "refresh":
                viewer.refresh()
            case "reconnect":
                await viewer.reconnect()
        await self.settle()

    async def settle(self) -> None:
        for _ in range(12):
            await asyncio.sleep(0)

    async def calm_down(self) -> bool:
        """Let everything go on until nothing happens any more."""
        for _ in range(ENOUGH):
            busy = bool(self.site.asked)
            while self.site.asked:
                self.end_question(0, well=True)
            for viewer in self.viewers:
                viewer.reads.set()
                busy = busy or bool(viewer.came) or viewer.is_due or viewer.is_busy
                await viewer.hear()
                viewer.ask()
                await viewer.answered()
            await self.settle()
            if not busy:
                return True
        return False


STEPS = (
    *("change", "announce", "answer", "hear", "fail", "forget", "stall", "read", "ask", "answered", "unanswered"),
    *("refresh", "reconnect", "news", "news", "answer", "hear", "hear", "ask"),
)


def unpaced() -> Any:
    return patch.multiple(pushed_cells, NEWS_SECONDS=0.0, NEWCOMERS_SECONDS=0.0)


@given(st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 8)), min_size=10, max_size=80))
@examples(400)
def test_in_the_end_all_have_the_newest_cells(steps: list[tuple[str, int]]) -> None:
    async def live() -> None:
        world = World()
        for what, number in steps:
            await world.step(what, number)
        if not world.site.is_told:
            world.announce()
        assert await world.calm_down(), "they ask for ever"
        for viewer in world.viewers:
            assert viewer.cells == world.site.cells
            await viewer.consumer.outlet.close()
            assert not viewer.consumer.mailbox.waits(CUP)

    with unpaced():
        asyncio.run(live())


def test_who_was_served_while_a_round_went_on_is_not_forgotten_by_it() -> None:
    async def live() -> None:
        world = World()
        late = world.viewers[2]
        old = late.state, dict(late.cells)
        world.site.change(0)
        world.announce()
        assert await world.calm_down()
        (late.state, late.cells) = old
        await late.reconnect()
        await late.hear()
        await world.settle()
        assert len(world.site.asked) == 1, "for who came lately"
        world.site.change(1)
        world.announce()
        await world.settle()
        assert len(world.site.asked) == 2, "and for the two others, whose turn is first"
        world.end_question(0, well=True)
        await world.settle()
        await late.hear()
        assert late.cells != world.site.cells
        assert await world.calm_down()
        assert late.cells == world.site.cells

    with unpaced():
        asyncio.run(live())


def test_after_that_a_change_costs_one_question_and_no_request() -> None:
    async def live() -> None:
        world = World()
        assert await world.calm_down()
        questions = count_of(world)
        world.site.change(1)
        world.announce()
        await world.settle()
        assert len(world.site.asked) == 1
        assert await world.calm_down()
        assert next(questions) == 0
        assert {viewer.state for viewer in world.viewers} == {world.site.answer("").state}

    with unpaced():
        asyncio.run(live())


def count_of(world: World) -> Iterator[int]:
    """How often pages ask by themselves from here on."""
    asked: list[int] = []
    for viewer in world.viewers:
        ask = viewer.ask

        def counted(viewer: Viewer = viewer, ask: Any = ask) -> None:
            asked.extend([1] * (viewer.is_due and not viewer.is_busy))
            ask()

        viewer.ask = counted  # type: ignore[method-assign]
    while True:
        yield len(asked)
