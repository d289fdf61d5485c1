"""Parts of pages that are rendered once per change and kept for all who may see them.

What is kept belongs to a ``revision``, which is another one as soon as the part shows anything else. A large part
serves a while longer, so that a board which everyone watches does not take all of a processor: a twentieth for what is
new, and as much for what was old when it was rendered. Whoever is given an old one is told when to ask again. What
differs from reader to reader is put in afterwards.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from http import HTTPStatus
from math import ceil
from time import thread_time, time
from typing import Any, Final, Self, TypeAlias

from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.utils.crypto import salted_hmac
from django.utils.html import escape, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from web.boards import Board
from web.live_deltas import STATE, changed_since, state_keep

REST: Final = 20  # a large part is kept for so many times the processor time that it took, whatever changes meanwhile
SHARED_SECONDS: Final = 2
DELTA_SECONDS: Final = 10
RENDERING: Final = 10  # seconds for which one reader renders what the others are then given
# Stands where a form has its token. All processes of a site know it, and nobody who chooses a name or writes a text.
TOKEN: Final = salted_hmac(__name__, "the reader's own token", algorithm="sha256").hexdigest()
OWN_PLACES: Final = "<!-- the reader's own bots -->"
Revision: TypeAlias = int | str
AGAIN: Final = "X-Live-Again"  # of an answer to live cells: seconds after which to ask again


@dataclass(frozen=True, slots=True)
class RenderedPart:
    """``data`` goes with the ``html``; ``is_large``: it is not rendered after every change; ``is_live``: readers are
    sent what has changed since they were sent it. ``old_until``: not 0 where something in it is not the newest, which
    can be had then. ``apart``: seconds of the processor that went into parts of it which are kept by themselves."""

    html: str
    data: Any = None
    is_large: bool = False
    is_live: bool = False
    old_until: float = 0
    apart: float = 0


@dataclass(frozen=True, slots=True)
class KeptPart:
    """``html`` of a ``revision``, with ``data`` that goes with it; ``until``: a large one serves so long, whatever
    changes; 0 for others. ``old_until``: as of the ``RenderedPart``. ``state``: see ``web.live_deltas``; "" of one that
    is not live."""

    html: str
    data: Any
    revision: Revision
    until: float
    old_until: float
    state: str

    def serves(self, revision: Revision) -> bool:
        """Tell whether whoever wants this revision is given it."""
        is_newest = self.revision == revision and not self.old_until
        return is_newest or time() < self.newer_at(revision)

    def newer_at(self, revision: Revision) -> float:
        """Return when there is a newer one to be had; 0 if this is the newest."""
        return self.old_until if self.revision == revision else self.until

    def again(self, revision: Revision) -> int:
        """Return in how many seconds there is a newer one to be had; 0 if this is the newest."""
        at = self.newer_at(revision)
        return max(1, ceil(at - time())) if at else 0

    def since(self, had: str) -> Self:
        """Return what a reader who has the state ``had`` of it is sent, made once for all who have that."""
        if not had:
            return self
        cache, key = caches["optional"], f"live-delta/1/{had}/{self.state}"
        html: str | None = cache.get(key)
        if html is None:
            html = changed_since(had, self.html)
            cache.set(key, html, DELTA_SECONDS)
        return replace(self, html=html)

    def html_for(self, request: HttpRequest) -> str:
        """Return it with the reader's own token in its forms."""
        return self.html.replace(TOKEN, get_token(request)) if TOKEN in self.html else self.html


def part_kept(name: str, revision: Revision, seconds: int, render: Callable[[], RenderedPart]) -> KeptPart:
    """Return the part called ``name``, which says all that it depends on but ``revision`` and the reader's language;
    made by ``render``, and anew after so many ``seconds`` at the latest. Of several readers of a large one at once one
    renders, and the others are given the old one, if there is one; of any other part everyone is given the newest.
    """
    cache = caches["optional"]
    key = f"part/5/{sha256(f'{name}/{get_language()}/{TOKEN}'.encode()).hexdigest()}"
    kept: KeptPart | None = cache.get(key)
    if kept is not None and kept.serves(revision):
        return kept
    if kept is not None and kept.until and not cache.add(f"{key}/busy", 1, RENDERING):
        return kept
    begun, spent = time(), thread_time()
    made = render()
    until = begun + REST * (thread_time() - spent - made.apart) if made.is_large else 0
    old_until = max(until, made.old_until) if made.old_until else 0
    if kept is not None and kept.revision == revision:  # made anew for what was old in it: what is new does not wait
        until = kept.until
    state = state_keep(made.html) if made.is_live else ""
    kept = KeptPart(made.html, made.data, revision, until, old_until, state)
    cache.set(key, kept, seconds)
    cache.delete(f"{key}/busy")
    return kept


def answer_shared(name: str, revision: Revision, make: Callable[[], HttpResponse]) -> HttpResponse:
    """Return an answer that is the same, byte by byte, for all strangers who ask in one language: made once for each
    ``revision``, and anew after ``SHARED_SECONDS``, since some of what it shows goes by the clock.
    """
    cache = caches["optional"]
    key = f"answer/2/{sha256(f'{name}/{get_language()}'.encode()).hexdigest()}"
    kept: tuple[Revision, bytes, dict[str, str]] | None = cache.get(key)
    if kept is None or kept[0] != revision:
        made = make()
        if made.status_code != HTTPStatus.OK:
            return made
        kept = revision, made.content, {name: made[name] for name in (AGAIN, STATE) if name in made}
        cache.set(key, kept, SHARED_SECONDS)
    return HttpResponse(kept[1], headers=kept[2])


@dataclass(frozen=True, slots=True)
class PlacedRow:
    """A row of a board that is the reader's own: the ``id`` of its element, the ``name`` of the bot, and its ``place``
    from 0; None where it is not to be found on another page."""

    id: str
    name: str
    place: int | None


def part_of_reader(html: str, own: Sequence[PlacedRow], board: Board[Any]) -> SafeString:
    """Mark the reader's own bots in what was rendered for all, and say where on the pages of ``board`` they stand."""
    for row in own:
        html = html.replace(f'<tr id="{row.id}">', f'<tr id="{row.id}" class="mine">')
    links = [(board.page_of(row.place), row.id, row.name, row.place + 1) for row in own if row.place is not None]
    found = format_html_join(" ", '<a href="{}#{}">{} <span class="muted number">{}</span></a>', links)
    label = f"{escape(_('My bots:'))} " if links else ""
    return mark_safe(html.replace(OWN_PLACES, label + found))  # noqa: S308  templates escaped it
