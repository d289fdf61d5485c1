"""What a page may follow, and how it asks.

A topic is followed with the ticket that a page holds for it: sockets look up no session, and of what not everyone may
see, not even the times at which something happens are everyone's.

Some topics have a state, another one after each change: answers that are everyone's are given again while it stays.
"""

import json
import logging
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from secrets import token_hex
from typing import Annotated, Final
from urllib.parse import unquote

import msgspec
from django.conf import settings
from django.core import signing
from django.core.cache import caches
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve
from msgspec import Meta

logger = logging.getLogger(__name__)

_TOPIC: Final = re.compile(r"([a-z]+)\.[1-9][0-9]{0,17}")
_KINDS: Final[set[str]] = set()
_WITH_STATE: Final[set[str]] = set()
_CELLS: Final[dict[str, str]] = {}  # the names of addresses of live cells, by kind
_SIGNER: Final = signing.Signer(salt="matches.live.topic")
TOPICS_MAX: Final = 50  # per socket
TEXT_MAX: Final = 4096  # characters of one request
SRC_MAX: Final = 512  # characters of an address of cells
DUE_MAX: Final = 3600  # seconds
_SRC: Final = r"\A/(?!/)[!-\"$-\[\]-~]*\Z"  # no space, no line, no backslash, no fragment, nothing that is not ASCII
_STATE: Final = r"\A(?:[0-9a-f]{32})?\Z"
SHARED: Final = "X-Live-Shared"  # of an answer that is everyone's: the topic that tells of its changes
SHARED_SECONDS: Final = 2  # of live cells: some of what they show goes by the clock
STATE_SECONDS: Final = 3600  # far longer than an answer is kept
UNCHANGED: Final = "unchanged"  # since states are kept


def topic_kind_register(kind: str, *, has_state: bool = False, cells: str = "") -> None:
    """Let pages follow topics such as ``tournament.5``; ``has_state``: and their answers be shared; ``cells``: the name
    of the address whose live cells may be pushed. A room calls this for each of its kinds when it starts."""
    _KINDS.add(kind)
    if has_state:
        _WITH_STATE.add(kind)
    if cells:
        _CELLS[kind] = cells


def share(answer: HttpResponseBase, topic: str, seconds: int = SHARED_SECONDS) -> None:
    """Say of ``answer`` that strangers who ask for the same may be given it until ``topic`` is announced, for so many
    ``seconds`` at most."""
    answer[SHARED] = f"{topic} {seconds}"


def shared_of(header: str) -> tuple[str, int]:
    """Return topic and seconds of what ``share`` wrote; ("", 0) of anything else."""
    topic, _space, seconds = header.partition(" ")
    return (topic, int(seconds)) if seconds.isdecimal() else ("", 0)


def topics_changed(*topics: str) -> None:
    """Give each topic another state, if its kind has one. Call it once the change is committed, and before it is
    announced. It never raises: without the cache nothing is shared."""
    states = {_key(topic): token_hex(8) for topic in topics if topic.partition(".")[0] in _WITH_STATE}
    try:
        if states:
            caches["default"].set_many(states, STATE_SECONDS)
    except ConnectionError:
        logger.warning("live: the cache was not told of changes of %s", ", ".join(topics))


def topic_states(topics: Collection[str]) -> Mapping[str, str]:
    """Return the state of each topic; nothing while the cache is away."""
    try:
        found = caches["default"].get_many([_key(topic) for topic in topics])
    except ConnectionError:
        return {}
    return {topic: found.get(_key(topic), UNCHANGED) for topic in topics}


def is_topic(text: str) -> bool:
    """Tell whether ``text`` is the name of something that pages may follow."""
    found = _TOPIC.fullmatch(text)
    return found is not None and found[1] in _KINDS


class RequestError(ValueError):
    """A request that is not understood; ``code`` is for programs, the text for people."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class CellsRequest(msgspec.Struct, frozen=True):
    """Live cells to be sent upon each announcement of ``topic``: what a stranger is given at ``src``, a path and
    perhaps a query, in ``language``. The page shows ``state``, "" for none that it knows. ``due``: it wants them in so
    many seconds too, 0 where it may have missed something; None: with the next announcement.
    """

    topic: str
    src: Annotated[str, Meta(max_length=SRC_MAX, pattern=_SRC)]
    language: str
    state: Annotated[str, Meta(pattern=_STATE)] = ""
    due: Annotated[int, Meta(ge=0, le=DUE_MAX)] | None = None


# By field: the code of the refusal, and its sentence.
_REFUSALS: Final = {
    "topic": ("unknown_topic", "a topic is followed with the ticket of its page"),
    "src": ("bad_address", f"an address of cells has {SRC_MAX} characters at most"),
    "language": ("unknown_language", "not a language of this site"),
    "state": ("bad_state", "a state is what X-Live-State named"),
    "due": ("bad_due", f"cells are due in 0 to {DUE_MAX} seconds"),
}
_FIELD: Final = re.compile(rf"`(?:\$\.)?({'|'.join(_REFUSALS)})`")  # as msgspec's errors name it


@dataclass(frozen=True, slots=True)
class TopicsRequest:
    """Topics to follow, for which there were tickets, to stop following, and live cells to be sent of some."""

    subscribe: frozenset[str]
    unsubscribe: frozenset[str]
    cells: tuple[CellsRequest, ...] = ()


def topic_ticket(topic: str) -> str:
    """Return ``topic`` ("tournament.5") with a signature, for a page whose reader may see what it is about.

    It does not run out: a page stays open for hours, and says what it follows again when its connection was lost. All
    that it admits to are hints that something has changed, and what any stranger may read of it.
    """
    return _SIGNER.sign(topic)


def read_request(text: str | None) -> TopicsRequest:
    """Return the request in a client's message.

    Raises:
        RequestError: binary, too long, not JSON, or naming what is no topic. Safe for hostile text.
    """
    data = read_object(text)
    for name in data:
        if name not in ("subscribe", "unsubscribe", "cells"):
            raise RequestError("unknown_request", f"no such request: {name[:40]!r}; send 'subscribe' or 'unsubscribe'")
    topics = _topics(data.get("subscribe", [])), _topics(data.get("unsubscribe", []))
    return TopicsRequest(*topics, _cells(data.get("cells", [])))


def read_object(text: str | None) -> dict[str, object]:
    """Return the JSON object in a client's message.

    Raises:
        RequestError: see ``read_request``.
    """
    if text is None:
        raise RequestError("binary", "send text, not bytes")
    if len(text) > TEXT_MAX:
        raise RequestError("too_long", f"a message may have {TEXT_MAX} characters, this has {len(text)}")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RequestError("not_json", "the message is not JSON") from error
    if not isinstance(data, dict):
        raise RequestError("not_an_object", 'send an object such as {"subscribe": ["tournament.5:..."]}')
    return data


def _key(topic: str) -> str:
    return f"topic-state/{topic}"


def _topics(names: object) -> frozenset[str]:
    if not isinstance(names, list):
        raise RequestError("not_a_list", "topics come as a list of tickets")
    return frozenset(_topic(name) for name in names)


def _topic(ticket: object) -> str:
    try:
        topic = _SIGNER.unsign(ticket) if isinstance(ticket, str) else ""
    except signing.BadSignature:
        topic = ""
    if not is_topic(topic):
        raise _refusal("topic", ticket)
    return topic


def _refusal(field: str, value: object) -> RequestError:
    code, sentence = _REFUSALS[field]
    return RequestError(code, f"{sentence}: {str(value)[:40]!r}")


def _cells(wanted: object) -> tuple[CellsRequest, ...]:
    if not isinstance(wanted, list) or len(wanted) > TOPICS_MAX:
        raise RequestError("not_a_list", f"cells come as a list of {TOPICS_MAX} objects at most")
    return tuple(_wanted(one) for one in wanted)


def _wanted(cells: object) -> CellsRequest:
    if not isinstance(cells, dict):
        raise RequestError("not_an_object", 'cells are wanted as {"topic": ..., "src": ..., "language": ...}')
    topic = _topic(cells.get("topic"))
    try:
        wanted = msgspec.convert(cells | {"topic": topic}, CellsRequest)
    except msgspec.ValidationError as error:
        named = _FIELD.search(str(error))
        field = named[1] if named else "src"
        raise _refusal(field, cells.get(field)) from error
    if _name_of(wanted.src) != _CELLS.get(topic.partition(".")[0], ""):
        raise RequestError("unknown_address", f"there are no live cells of {topic} at {wanted.src[:40]!r}")
    if wanted.language not in dict(settings.LANGUAGES):
        raise _refusal("language", wanted.language)
    return wanted


def _name_of(src: str) -> str | None:
    """Return the name of the view at ``src``; None where there is none."""
    try:
        return resolve(unquote(src.partition("?")[0])).view_name or None
    except Resolver404:
        return None
