"""Live cells as deltas: whoever has seen a state of a page before is sent the cells that have changed since.

A cell is an element with an ``id`` and ``data-live`` or ``data-live-list``, see ``live-cells.js``; cells may lie in
cells. An answer names its state in ``X-Live-State``; the next request sends it back in ``X-Live-Have``. Of the last ten
minutes it is known what was in which cell of each state. A reader of an older one is sent all of them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from typing import Final, TypeAlias

from django.core.cache import caches
from django.http import HttpRequest

STATE: Final = "X-Live-State"
HAVE: Final = "X-Live-Have"
AGAIN: Final = "X-Live-Again"  # of an answer to live cells: seconds after which to ask again
KEPT_SECONDS: Final = 600
Cells: TypeAlias = dict[str, str]  # a digest of each cell by id, of those that lie in it only their ids counted
_TAG: Final = re.compile(r"""<(/?)([a-zA-Z][^\s/>]*)((?:[^>"']|"[^"]*"|'[^']*')*)>""")
_ID: Final = re.compile(r"""\sid="([^"]+)\"""")
_LIVE: Final = re.compile(r"\sdata-live(?:-list)?[\s=>]")
_VOID: Final = frozenset(("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"))
_STATE: Final = re.compile(r"[0-9a-f]{32}")


@dataclass(slots=True)
class LiveCell:
    """An element from ``start`` to ``end`` in its page; ``own`` is a digest of what is its own."""

    id: str
    start: int
    end: int = 0
    own: str = ""
    parts: "list[LiveCell]" = field(default_factory=list)

    def all(self) -> "Iterator[LiveCell]":
        yield self
        for part in self.parts:
            yield from part.all()


@lru_cache(maxsize=8)  # what is kept of a page as a state is compared with the state before right afterwards
def cells_in(html: str) -> Sequence[LiveCell]:
    """Return the cells of a part of a page that do not lie in others. Elements are closed by tags, but for those that
    have none."""
    top = LiveCell("", 0, len(html))
    around, opened = [top], list[tuple[str, LiveCell | None]]()
    for tag in _TAG.finditer(html):
        closes, name, rest = tag[1], tag[2].lower(), tag[3]
        if closes:
            while opened:
                other, cell = opened.pop()
                if cell is not None:
                    around.pop()
                    cell.end = tag.end() if other == name else tag.start()
                    cell.own = _digest(html, cell)
                if other == name:
                    break
        elif name not in _VOID and not rest.endswith("/"):
            found = _ID.search(rest) if _LIVE.search(f"{rest}>") else None
            cell = LiveCell(found[1], tag.start()) if found else None
            opened.append((name, cell))
            if cell is not None:
                around[-1].parts.append(cell)
                around.append(cell)
    return tuple(top.parts)


def state_keep(html: str) -> str:
    """Return the name of the state that a part of a page shows, and keep for a while what it has in which cell."""
    state = blake2b(html.encode(), digest_size=16).hexdigest()
    known: Cells = {cell.id: cell.own for one in cells_in(html) for cell in one.all()}
    caches["optional"].set(_key(state), known, KEPT_SECONDS)
    return state


def state_had(request: HttpRequest) -> str:
    """Return the state that the reader has; "" where it says none, or one that is not known any more."""
    state = request.headers.get(HAVE, "")
    return state if _STATE.fullmatch(state) and _key(state) in caches["optional"] else ""


def changed_since(state: str, html: str) -> str:
    """Return the cells of ``html`` that were not the same in ``state``, each in a template, since a cell of a table is
    none outside of one; all of ``html`` where the state is not known."""
    before = _known(state) if state else None
    if before is None:
        return html
    found = (one for cell in cells_in(html) for one in _changed(cell, before))
    return "".join(f"<template>{html[cell.start : cell.end]}</template>" for cell in found)


def _changed(cell: LiveCell, before: Cells) -> Iterator[LiveCell]:
    """Yield the cell if it was not there or something of its own is another, else those in it that have changed."""
    if before.get(cell.id) != cell.own:
        yield cell
    else:
        for part in cell.parts:
            yield from _changed(part, before)


def _digest(html: str, cell: LiveCell) -> str:
    own, at = [], cell.start
    for part in cell.parts:
        own += [html[at : part.start], part.id]
        at = part.end
    own.append(html[at : cell.end])
    return blake2b("\0".join(own).encode(), digest_size=8).hexdigest()


def _known(state: str) -> Cells | None:
    known: Cells | None = caches["optional"].get(_key(state))
    return known


def _key(state: str) -> str:
    return f"live/1/{state}"
