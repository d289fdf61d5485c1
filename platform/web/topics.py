"""Topics that pages follow, and the requests of their sockets.

To follow a topic, a page needs a ticket. Sockets do not look up sessions, so the ticket shows that the reader may
follow the topic: even the times at which a non-public object changes are not public.

Some topics have a state that changes with each announcement. Public responses are cached as long as it stays the same.
"""

import json
import logging
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from secrets import token_hex
from typing import Annotated, Final

import msgspec
from django.core import signing
from django.core.cache import caches
from django.http.response import HttpResponseBase
from msgspec import Meta

logger = logging.getLogger(__name__)

_TOPIC: Final = re.compile(r"([a-z]+)\.[1-9][0-9]{0,17}")
_KINDS: Final[set[str]] = set()
_WITH_STATE: Final[set[str]] = set()
_SIGNER: Final = signing.Signer(salt="matches.live.topic")
TOPICS_MAX: Final = 50  # topics that one socket may follow
TEXT_MAX: Final = 4096  # characters of one request
PARTS_MAX: Final = 8  # parts of a topic in one request
_PART: Final = r"\A[a-z]{1,20}(?:\.[0-9]{1,18}){0,2}\Z"
SHARED: Final = "X-Live-Shared"  # header of a public response: the topic that announces its changes
SHARED_SECONDS: Final = 2  # for live cells, because some of them depend on the time
STATE_SECONDS: Final = 3600  # seconds for which a state is stored, far longer than a response is cached
UNCHANGED: Final = "unchanged"  # the state of a topic that has not changed since states are stored


def topic_kind_register(kind: str, *, has_state: bool = False) -> None:
    """Let pages follow topics such as ``tournament.5``.

    With ``has_state``, responses may be shared until the topic changes. Apps call this for each of their kinds when
    they start.
    """
    _KINDS.add(kind)
    if has_state:
        _WITH_STATE.add(kind)


def topic_share(answer: HttpResponseBase, topic: str, seconds: int = SHARED_SECONDS) -> None:
    """Mark ``answer`` as publicly cacheable until ``topic`` changes, for at most ``seconds``."""
    answer[SHARED] = f"{topic} {seconds}"


def topic_share_read(header: str) -> tuple[str, int]:
    """Return the topic and seconds from the header that ``topic_share`` wrote; ("", 0) for any other text."""
    topic, _space, seconds = header.partition(" ")
    return (topic, int(seconds)) if seconds.isdecimal() else ("", 0)


def topic_states_renew(*topics: str) -> None:
    """Give each topic a new state if its kind has states. Call it after the commit and before the announcement.

    It never raises an error: without the cache, responses are not shared.
    """
    states = {_key(topic): token_hex(8) for topic in topics if topic.partition(".")[0] in _WITH_STATE}
    try:
        if states:
            caches["default"].set_many(states, STATE_SECONDS)
    except ConnectionError:
        logger.warning("live: the cache did not get the changes of %s", ", ".join(topics))


def topic_states(topics: Collection[str]) -> Mapping[str, str]:
    """Return the state of each topic; empty while the cache is unavailable."""
    try:
        found = caches["default"].get_many([_key(topic) for topic in topics])
    except ConnectionError:
        return {}
    return {topic: found.get(_key(topic), UNCHANGED) for topic in topics}


def topic_is_valid(text: str) -> bool:
    """Return whether ``text`` is the name of a topic."""
    found = _TOPIC.fullmatch(text)
    return found is not None and found[1] in _KINDS


class RequestError(ValueError):
    """An invalid request. ``code`` is for programs, the text for people."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class TicketError(RequestError):
    """An invalid ticket."""


class ShownParts(msgspec.Struct, frozen=True):
    """The revisions of the parts of ``topic`` that a page shows, such as {"standings.7": 80}."""

    topic: str
    parts: Annotated[dict[Annotated[str, Meta(pattern=_PART)], Annotated[int, Meta(ge=0)]], Meta(max_length=PARTS_MAX)]


@dataclass(frozen=True, slots=True)
class TopicsRequest:
    """A page's request: topics to follow, whose tickets were valid; topics to stop following; and the parts that the
    page shows.
    """

    subscribe: frozenset[str]
    unsubscribe: frozenset[str]
    shows: tuple[ShownParts, ...] = ()


def topic_ticket(topic: str) -> str:
    """Return ``topic``, such as "tournament.5", with a signature. Use it only for readers who may see the object.

    A ticket does not expire, because a page may be open for hours and sends its ticket again after a lost connection. A
    ticket only gives access to hints that something has changed, and to public rows.
    """
    return _SIGNER.sign(topic)


def topic_request_read(text: str | None) -> TopicsRequest:
    """Parse a client's message.

    Raises:
        RequestError: the message is binary, too long or not JSON, or names an unknown topic. Safe for hostile text.
    """
    data = topic_object_read(text)
    for name in data:
        if name not in ("subscribe", "unsubscribe", "shows"):
            raise RequestError("unknown_request", f"no such request: {name[:40]!r}; send 'subscribe' or 'unsubscribe'")
    topics = _topics(data.get("subscribe", [])), _topics(data.get("unsubscribe", []))
    return TopicsRequest(*topics, _shows(data.get("shows", [])))


def topic_object_read(text: str | None) -> dict[str, object]:
    """Parse a client's message as a JSON object.

    Raises:
        RequestError: see ``topic_request_read``.
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
    if not topic_is_valid(topic):
        raise RequestError("unknown_topic", f"a topic is followed with the ticket of its page: {str(ticket)[:40]!r}")
    return topic


def _shows(shown: object) -> tuple[ShownParts, ...]:
    try:
        found = msgspec.convert(shown, Annotated[tuple[ShownParts, ...], Meta(max_length=TOPICS_MAX)])
    except msgspec.ValidationError as error:
        detail = 'what a page shows comes as [{"topic": ..., "parts": {"standings.7": 80}}]'
        raise RequestError("bad_parts", detail) from error
    return tuple(msgspec.structs.replace(one, topic=_topic(one.topic)) for one in found)
