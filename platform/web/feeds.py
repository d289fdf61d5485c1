"""Atom feeds of the news of a page.

Apps in higher rooms register further entries for a feed when they start (decision 10).
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from typing import Any, Final, TypeAlias

from django.http import HttpRequest, HttpResponse
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import get_language

ENTRIES_MOST: Final = 50  # entries of a feed: the newest
NAMES_MOST: Final = 10  # names in the entry of a podium; many bots may share a rank
NO_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """An entry of a feed. ``page`` is the path to which it links, ``html`` the content as escaped HTML.

    ``name`` is unique in the feed and must never change.
    """

    name: str
    title: str
    page: str
    at: datetime
    changed_at: datetime | None = None
    html: str = ""


Entries: TypeAlias = Callable[[Any, Any], Iterable[FeedEntry]]

_ADDED: Final[dict[str, list[Entries]]] = defaultdict(list)


def feed_register(name: str, entries: Entries) -> None:
    """Add entries to the feeds called ``name``, such as "group". ``entries`` is called with the reader and the feed's
    subject, and returns the entries.
    """
    _ADDED[name].append(entries)


def feed_entries_added(name: str, reader: Any, subject: Any) -> list[FeedEntry]:
    """Return the registered entries for the feed of ``subject`` that ``reader`` may see."""
    return [one for entries in _ADDED[name] for one in entries(reader, subject)]


def feed_answer(request: HttpRequest, title: str, page: str, entries: Iterable[FeedEntry]) -> HttpResponse:
    """Return the response with the feed of the page at the path ``page``, newest ``entries`` first."""
    address = request.build_absolute_uri(page)
    feed = _Feed(
        title=_plain(title),
        link=address,
        description="",
        language=get_language(),
        feed_url=request.build_absolute_uri(request.path),
        feed_guid=f"{address}#feed",
    )
    for one in sorted(entries, key=lambda entry: entry.at, reverse=True)[:ENTRIES_MOST]:
        feed.add_item(
            title=_plain(one.title),
            link=request.build_absolute_uri(one.page),
            description=_plain(one.html) or None,  # type: ignore[arg-type]  # None: no summary
            unique_id=f"{address}#{one.name}",
            pubdate=one.at,
            updateddate=one.changed_at or one.at,
            author_name="Pecking Order",
        )
    return HttpResponse(feed.writeString("utf-8"), content_type=feed.content_type)


def feed_podium_html(podium: Iterable[tuple[int, str]]) -> str:
    """Return ranks and names, at most ``NAMES_MOST``, as one line for ``FeedEntry.html``."""
    places = [f"{rank}. {name}" for rank, name in podium]
    return escape(" · ".join([*places[:NAMES_MOST], *(["…"] if len(places) > NAMES_MOST else [])]))


class _Feed(Atom1Feed):
    """A feed that does not depend on the time of the request: if it has no entries, its date is constant."""

    def latest_post_date(self) -> datetime:
        return max((one["updateddate"] for one in self.items), default=datetime(2000, 1, 1, tzinfo=UTC))


def _plain(text: str) -> str:
    """Return untrusted ``text`` without the characters that XML does not allow."""
    return NO_XML.sub("", str(text))
