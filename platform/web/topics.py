"""What a page may follow, and how it asks.

A topic is followed with the ticket that a page holds for it: sockets look up no session, and of what not everyone may
see, not even the times at which something happens are everyone's.
"""

import json
import re
from dataclasses import dataclass
from typing import Final

from django.core import signing

_TOPIC: Final = re.compile(r"([a-z]+)\.[1-9][0-9]{0,17}")
_KINDS: Final[set[str]] = set()
_SIGNER: Final = signing.Signer(salt="matches.live.topic")
TOPICS_MAX: Final = 50  # per socket
TEXT_MAX: Final = 4096  # characters of one request


def topic_kind_register(kind: str) -> None:
    """Let pages follow topics such as ``tournament.5``. A room calls this for each of its kinds when it starts."""
    _KINDS.add(kind)


def is_topic(text: str) -> bool:
    """Tell whether ``text`` is the name of something that pages may follow."""
    found = _TOPIC.fullmatch(text)
    return found is not None and found[1] in _KINDS


class RequestError(ValueError):
    """A request that is not understood; ``code`` is for programs, the text for people."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


@dataclass(frozen=True, slots=True)
class TopicsRequest:
    """Topics to follow, for which there were tickets, and to stop following."""

    subscribe: frozenset[str]
    unsubscribe: frozenset[str]


def topic_ticket(topic: str) -> str:
    """Return ``topic`` ("tournament.5") with a signature, for a page whose reader may see what it is about.

    It does not run out: a page stays open for hours, and says what it follows again when its connection was lost. All
    that it admits to are hints that something has changed; what has, the page asks for.
    """
    return _SIGNER.sign(topic)


def read_request(text: str | None) -> TopicsRequest:
    """Return the request in a client's message.

    Raises:
        RequestError: binary, too long, not JSON, or naming what is no topic. Safe for hostile text.
    """
    data = read_object(text)
    for name in data:
        if name not in ("subscribe", "unsubscribe"):
            raise RequestError("unknown_request", f"no such request: {name[:40]!r}; send 'subscribe' or 'unsubscribe'")
    return TopicsRequest(_topics(data.get("subscribe", [])), _topics(data.get("unsubscribe", [])))


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
        raise RequestError("unknown_topic", f"a topic is followed with the ticket of its page: {str(ticket)[:40]!r}")
    return topic
