"""Live cells that everyone sees are sent through the sockets: made once for all viewers who have the same of them.

After an announcement the site is asked once, as a stranger would ask it by HTTP, for each address, language and state
that somebody follows, and all of them are sent the same text. A site that is busy is asked once more with the next
round: a thousand pages that asked by themselves would make it busier. Whoever cannot be sent cells hears the
announcement itself, and asks by HTTP: an answer that is not everyone's, a site that fails, a socket that does not read.

A viewer is sent what has changed since the state that it has. What that is, is known here: what a page says when it
begins, and from then on what it was sent, for the messages of a socket come in order. They name the state all the same,
and a page which has another one asks.
"""

import asyncio
import json
import logging
import random
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias
from weakref import WeakKeyDictionary

from matches.live.paced import Paced
from web.topics import CellsRequest

logger = logging.getLogger(__name__)

NEWS_SECONDS: Final = 0.8  # between two rounds: announcements of a tournament come once a second, some a little early
NEWCOMERS_SECONDS: Final = 0.1  # between two rounds for those who came lately
ANSWER_SECONDS: Final = 10.0  # for the site's answer
CHANNELS_PER_TOPIC: Final = 32  # addresses and languages
CHANNELS_MOST: Final = 512  # of one process
STATES_MOST: Final = 8  # of one channel that are answered in one round, those of most viewers first
SITE_BYTES_MOST: Final = 300  # of the headers that tell for which host an answer is made
SITE_HEADERS: Final = frozenset((b"host", b"x-forwarded-proto", b"x-forwarded-host"))

Scope: TypeAlias = Mapping[str, Any]
Tell: TypeAlias = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class CellsAnswer:
    """What everyone is given who asks alike: ``html`` shows ``state``. ``again``: in how many seconds there is a newer
    one to be had, 0 if this is the newest."""

    state: str
    again: int
    html: str


class SiteBusyError(Exception):
    """The site has no time for a stranger now."""


# Ask the site for cells as a stranger with the socket of this scope, who has such a state. None: ask by HTTP. Raises
# SiteBusyError.
Ask: TypeAlias = Callable[[CellsRequest, str, Scope], Awaitable[CellsAnswer | None]]
_asks: list[Ask] = []


def cells_answered_by(ask: Ask) -> None:
    """Let ``ask`` answer for the site; the room that has its handler calls this. Until then nothing is pushed."""
    _asks[:] = [ask]


def are_pushed() -> bool:
    """Tell whether this process pushes cells."""
    return bool(_asks)


class CellsViewer:
    """A socket that wants cells. ``send`` takes a text for it, and returns False where it has not taken the one before;
    ``news`` is the announcement, for a page that has to ask."""

    __slots__ = ("_send", "_tell", "_timer", "asked", "channel", "is_due", "is_new", "news", "scope", "state")

    def __init__(self, scope: Scope, wanted: CellsRequest, send: Callable[[str], bool], tell: Tell) -> None:
        self.scope = scope
        self.state = wanted.state
        self.channel: CellsChannel | None = None
        self.news = news_of(wanted.topic)
        self.is_due = False
        self.is_new = False  # due for itself, not for what was announced
        self.asked = 0  # questions for it: of several at once the one that was begun last is answered
        self._send = send
        self._tell = tell
        self._timer: asyncio.TimerHandle | None = None

    def hear(self, news: str) -> bool:
        """Take an announcement; False where the page has to be told it."""
        if self.channel is None:
            return False
        self.news = news
        self.is_due = True
        self.channel.news.wake()
        return True

    def due_in(self, seconds: int) -> None:
        """Be sent something in so many seconds, whatever is announced."""
        if seconds:
            self._timer = asyncio.get_running_loop().call_later(seconds, self.due_in, 0)
        elif self.channel is not None:
            self.is_new = True
            self.channel.newcomers.wake()

    def take(self, text: str, state: str) -> None:
        """Send cells, after which the page has ``state``."""
        if self._send(text):
            self.state = state
        else:
            self.ask_yourself()

    def ask_yourself(self) -> None:
        """Tell the page the announcement, upon which it asks by HTTP. It comes back with the state it then has."""
        self.leave()
        self._tell(self.news)

    def leave(self) -> None:
        """Want no more cells. Idempotent."""
        if self._timer is not None:
            self._timer.cancel()
        if self.channel is not None:
            self.channel.leave(self)
            self.channel = None


class CellsChannel:
    """Those who follow the same cells in one language."""

    def __init__(self, wanted: CellsRequest, end: Callable[[], None]) -> None:
        self._wanted = wanted
        self._end = end
        self._viewers: set[CellsViewer] = set()
        self._again: asyncio.TimerHandle | None = None
        self.news = Paced(self._tell_news, NEWS_SECONDS)
        self.newcomers = Paced(self._greet, NEWCOMERS_SECONDS)
        self._renewals = Paced(self._renew, NEWS_SECONDS)  # of its own, lest news wait for it

    def come(self, viewer: CellsViewer, due: int | None) -> None:
        viewer.channel = self
        self._viewers.add(viewer)
        if due is not None:
            viewer.due_in(due)

    def leave(self, viewer: CellsViewer) -> None:
        self._viewers.discard(viewer)
        if not self._viewers:
            if self._again is not None:
                self._again.cancel()
            self._end()

    async def _tell_news(self) -> None:
        await self._serve([viewer for viewer in self._viewers if viewer.is_due])

    async def _renew(self) -> None:
        await self._serve(list(self._viewers))

    async def _greet(self) -> None:
        await self._serve([viewer for viewer in self._viewers if viewer.is_new])

    async def _serve(self, viewers: Iterable[CellsViewer]) -> None:
        """Send all of them what they lack, each state of theirs in its turn."""
        groups: dict[str, list[CellsViewer]] = defaultdict(list)
        for viewer in viewers:
            groups[viewer.state].append(viewer)
        turns = sorted(groups, key=lambda state: -len(groups[state]))
        for state in turns[:STATES_MOST]:
            await self._serve_alike(state, [viewer for viewer in groups[state] if viewer.channel is self])
        for state in turns[STATES_MOST:]:
            for viewer in groups[state]:
                if viewer.channel is self:
                    viewer.ask_yourself()
        left = [viewer for state in turns[:STATES_MOST] for viewer in groups[state] if viewer.channel is self]
        if any(viewer.is_due for viewer in left):
            self.news.wake()
        if any(viewer.is_new for viewer in left):
            self.newcomers.wake()

    async def _serve_alike(self, state: str, viewers: Sequence[CellsViewer]) -> None:
        # An answer that came since the round began may have changed somebody's state: that one's turn comes again.
        asked = {viewer: viewer.asked + 1 for viewer in viewers if viewer.state == state}
        if not asked:
            return
        for viewer, number in asked.items():
            viewer.asked = number
            viewer.is_due = viewer.is_new = False  # what is announced from here on makes it due again
        try:
            answer = await self._answer(state, random.choice(list(asked)))  # noqa: S311  whose line it takes a place in
        except SiteBusyError:
            for viewer in asked:
                viewer.is_due = True
            return
        waiting = [viewer for viewer, number in asked.items() if viewer.channel is self and viewer.asked == number]
        if answer is None:
            for viewer in waiting:
                viewer.ask_yourself()
            return
        text = _message(self._wanted, state, answer)
        for viewer in waiting:
            viewer.take(text, answer.state)
        if answer.again and self._again is None and self._viewers:
            self._again = asyncio.get_running_loop().call_later(answer.again, self._ask_again)

    def _ask_again(self) -> None:
        self._again = None
        self._renewals.wake()

    async def _answer(self, state: str, viewer: CellsViewer) -> CellsAnswer | None:
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return await _asks[0](self._wanted, state, viewer.scope) if _asks else None
        except SiteBusyError:
            raise
        except Exception:
            logger.exception("live: there are no cells of %s to be sent, its pages ask", self._wanted.topic)
            return None


class CellsFeed:
    """The cells that are followed in one event loop."""

    def __init__(self) -> None:
        self._channels: dict[str, dict[tuple[Any, ...], CellsChannel]] = {}  # by topic

    def follow(self, viewer: CellsViewer, wanted: CellsRequest) -> bool:
        """Let ``viewer`` be sent what it wants; False where too much is followed already."""
        site = site_of(viewer.scope)
        key = wanted.src, wanted.language, site
        of_topic = self._channels.setdefault(wanted.topic, {})
        channel = of_topic.get(key)
        if channel is None:
            channels = sum(len(one) for one in self._channels.values())
            is_full = len(of_topic) >= CHANNELS_PER_TOPIC or channels >= CHANNELS_MOST
            if is_full or sum(len(value) for _name, value in site) > SITE_BYTES_MOST:
                self._drop_empty(wanted.topic)
                return False
            channel = of_topic[key] = CellsChannel(wanted, lambda: self._end(wanted.topic, key))
        channel.come(viewer, wanted.due)
        return True

    def _end(self, topic: str, key: tuple[Any, ...]) -> None:
        del self._channels[topic][key]
        self._drop_empty(topic)

    def _drop_empty(self, topic: str) -> None:
        if not self._channels[topic]:
            del self._channels[topic]


def news_of(topic: str, **data: Any) -> str:
    """Return what a page is told of ``topic`` by us."""
    return json.dumps({"topic": topic, **data}, separators=(",", ":"))


def site_of(scope: Scope) -> tuple[tuple[bytes, bytes], ...]:
    """Return the headers of a socket that tell for which host, and which protocol before it, an answer is made."""
    scheme = scope.get("scheme", "ws").replace("ws", "http")
    return ((b"", scheme.encode()), *(one for one in scope["headers"] if one[0] in SITE_HEADERS))


def _message(wanted: CellsRequest, had: str, answer: CellsAnswer) -> str:
    message = {"topic": wanted.topic, "src": wanted.src, "have": had, "state": answer.state, "html": answer.html}
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False)


_feeds: WeakKeyDictionary[asyncio.AbstractEventLoop, CellsFeed] = WeakKeyDictionary()


def current_feed() -> CellsFeed:
    """Return the feed of the running event loop."""
    return _feeds.setdefault(asyncio.get_running_loop(), CellsFeed())
