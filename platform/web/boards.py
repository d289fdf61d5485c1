"""Boards: paginated tables whose length grows with the number of bots.

A page of a board shows 50 rows by default. Readers can filter the rows by name and follow links to their own bots. The
query parameters alone determine which rows a page shows, so that the page can be cached.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Generic, Self, TypeVar, cast, overload
from urllib.parse import urlencode

from django.http import HttpRequest
from django.utils.html import escape, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from web.name_keys import name_key

REFRESH_HEADER: Final = "X-Live-Again"  # response header: seconds after which live-cells.js requests the page again

BOARD_ROWS: Final = 50
WORD_MOST: Final = 60  # characters of the value of a query parameter
OWN_PLACES: Final = "<!-- the reader's own bots -->"  # templates have this text where the links to the bots go
Row = TypeVar("Row")
Other = TypeVar("Other")


@dataclass(frozen=True, slots=True)
class BoardQuery:
    """The query parameters of a page with boards. ``words`` are pairs of name and value; parameters that the page does
    not know are left out.
    """

    words: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, request: HttpRequest, *known: str) -> Self:
        return cls(tuple((name, word[:WORD_MOST]) for name in known if (word := request.GET.get(name, "").strip())))

    def text(self, name: str) -> str:
        return dict(self.words).get(name, "")

    def number(self, name: str) -> int | None:
        """Return the value of ``name`` as an integer; None if it is missing or is not an integer from 0 to 99999999."""
        word = self.text(name)
        return int(word) if word.isdecimal() and word.isascii() and len(word) < 9 else None

    def but(self, **changes: object) -> str:
        """Return a query string, such as "?page=2&stage=1", with these changes; the value "" removes a parameter."""
        words = {**dict(self.words), **{name: str(word) for name, word in changes.items()}}
        return "?" + urlencode({name: word for name, word in words.items() if word})

    def without(self, *names: str) -> "BoardQuery":
        return BoardQuery(tuple((name, word) for name, word in self.words if name not in names))

    def __str__(self) -> str:
        return urlencode(self.words)


@dataclass(frozen=True, slots=True)
class Board(Generic[Row]):
    """A page of a board.

    The board has ``pages`` pages; this one has the ``number``, counted from 1, and contains ``rows``. ``first`` is the
    place of the first of these rows, also from 1. ``total`` is the number of rows on all pages, ``of`` the number of
    rows before filtering, ``size`` the number of rows per page. ``name`` and ``filtered_by`` are the names of the query
    parameters for the page number and the filter.
    """

    rows: Sequence[Row]
    number: int
    pages: int
    first: int
    total: int
    of: int
    query: BoardQuery
    name: str
    filtered_by: str
    size: int

    @property
    def is_long(self) -> bool:
        """Return whether the unfiltered board has more than one page."""
        return self.of > self.size

    @property
    def wanted(self) -> str:
        return self.query.text(self.filtered_by) if self.filtered_by else ""

    @property
    def last(self) -> int:
        return self.first + len(self.rows) - 1

    @property
    def previous(self) -> str:
        return self.query.but(**{self.name: self.number - 1}) if self.number > 1 else ""

    @property
    def next(self) -> str:
        return self.query.but(**{self.name: self.number + 1}) if self.number < self.pages else ""

    @property
    def all(self) -> str:
        """Return the query string of the unfiltered board."""
        return self.query.but(**{self.name: "", self.filtered_by: ""})

    @property
    def others(self) -> list[tuple[str, str]]:
        """Return the query parameters that the filter's form passes on in hidden fields."""
        return [(name, word) for name, word in self.query.words if name not in (self.name, self.filtered_by)]

    def showing(self, rows: Sequence[Other]) -> "Board[Other]":
        """Return a copy of the board with ``rows`` in place of its own, e.g. with objects that a template displays."""
        return replace(cast("Board[Any]", self), rows=rows)

    def number_of(self, place: int) -> int:
        """Return the number of the unfiltered page that contains the row at ``place``, which counts from 0."""
        return place // self.size + 1

    def page_of(self, place: int) -> str:
        """Return the query string of the unfiltered page that contains the row at ``place``, which counts from 0."""
        return self.query.but(
            **{self.name: self.number_of(place), **({self.filtered_by: ""} if self.filtered_by else {})}
        )


@dataclass(frozen=True, slots=True)
class RowsCounted(Sequence[Row]):
    """The ``total`` rows of the query ``found``. Only the rows of the requested page are read from the database."""

    found: Any
    total: int

    def __len__(self) -> int:
        return self.total

    def __getitem__(self, places: Any) -> Any:
        return self.found[places]


def board_of(
    rows: Sequence[Row],
    query: BoardQuery,
    *,
    name: str = "page",
    filtered_by: str = "",
    words: Callable[[Row], Iterable[str]] = lambda _row: (),
    size: int = 0,
) -> Board[Row]:
    """Return the requested page of ``rows``, or the nearest page that exists.

    If the query has a value for ``filtered_by``, the board contains only the rows with this value in one of their
    ``words``, ignoring case. ``size`` is the number of rows per page; 0 means ``BOARD_ROWS``.
    """
    size = size or BOARD_ROWS
    part = name_key(query.text(filtered_by)) if filtered_by else ""
    found = [row for row in rows if any(part in name_key(word) for word in words(row))] if part else rows
    pages = max(1, -(-len(found) // size))
    number = min(max(query.number(name) or 1, 1), pages)
    first = (number - 1) * size
    return Board(
        found[first : first + size], number, pages, first + 1, len(found), len(rows), query, name, filtered_by, size
    )


def board_whole(rows: Sequence[Row], query: BoardQuery) -> Board[Row]:
    """Return a board with all ``rows`` on one page."""
    return Board(rows, 1, 1, 1, len(rows), 0, query, "", "", BOARD_ROWS)


@dataclass(frozen=True, slots=True)
class OwnRow:
    """A row of a board with one of the reader's own bots.

    ``id`` is the id of the row's HTML element, ``name`` the name of the bot, and ``place`` its place on the unfiltered
    board, from 0; None for a row that needs no link.
    """

    id: str
    name: str
    place: int | None


def board_own_rows_marked(html: str, own: Sequence[OwnRow], board: Board[Any]) -> SafeString:
    """Mark the reader's own bots in ``html``, a board rendered identically for all readers, and add links to the pages
    of ``board`` that contain them.
    """
    for row in own:
        html = html.replace(f'<tr id="{row.id}">', f'<tr id="{row.id}" class="mine">')
    links = [(board.page_of(row.place), row.id, row.name, row.place + 1) for row in own if row.place is not None]
    found = format_html_join(" ", '<a href="{}#{}">{} <span class="muted number">{}</span></a>', links)
    label = f"{escape(_('My bots:'))} " if links else ""
    return mark_safe(html.replace(OWN_PLACES, label + found))  # noqa: S308  templates escaped it


Shown = TypeVar("Shown")


class Paged(Sequence[Shown], Generic[Row, Shown]):
    """A sequence of ``rows``. A row is rendered with ``show`` when it is accessed, so only rows of the requested page
    are rendered.
    """

    def __init__(self, rows: Sequence[Row], show: Callable[[Sequence[Row]], list[Shown]]) -> None:
        self._rows, self._show = rows, show

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, at: int) -> Shown: ...

    @overload
    def __getitem__(self, at: slice) -> list[Shown]: ...

    def __getitem__(self, at: int | slice) -> Shown | list[Shown]:
        return self._show(self._rows[at]) if isinstance(at, slice) else self._show([self._rows[at]])[0]
