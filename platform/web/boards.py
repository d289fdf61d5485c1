"""Boards: tables that grow with the number of bots, shown fifty rows at a time, with a filter by name and the way
to one's own bots. A board of a page is described by its query parameters alone, so that it can be cached.
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

REFRESH_HEADER: Final = "X-Live-Again"  # header of live cells: seconds after which there is a newer board

BOARD_ROWS: Final = 50
WORD_MOST: Final = 60  # characters
OWN_PLACES: Final = "<!-- the reader's own bots -->"  # in a template, where the links to them go
Row = TypeVar("Row")
Other = TypeVar("Other")


@dataclass(frozen=True, slots=True)
class BoardQuery:
    """What the address of a page with boards asks for, by name: the ``words`` that the page knows, the others left
    out."""

    words: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, request: HttpRequest, *known: str) -> Self:
        return cls(tuple((name, word[:WORD_MOST]) for name in known if (word := request.GET.get(name, "").strip())))

    def text(self, name: str) -> str:
        return dict(self.words).get(name, "")

    def number(self, name: str) -> int | None:
        """Return a number from 0 to 99999999; None where there is none, or something else."""
        word = self.text(name)
        return int(word) if word.isdecimal() and word.isascii() and len(word) < 9 else None

    def but(self, **changes: object) -> str:
        """Return the end of an address, "?page=2&stage=1", with these words instead; "" leaves one out."""
        words = {**dict(self.words), **{name: str(word) for name, word in changes.items()}}
        return "?" + urlencode({name: word for name, word in words.items() if word})

    def without(self, *names: str) -> "BoardQuery":
        return BoardQuery(tuple((name, word) for name, word in self.words if name not in names))

    def __str__(self) -> str:
        return urlencode(self.words)


@dataclass(frozen=True, slots=True)
class Board(Generic[Row]):
    """The ``rows`` of the page ``number`` of so many ``pages``, from the place ``first`` on; ``total``: of all pages,
    ``of``: before the filter. ``name`` and ``filtered_by`` are the words of the address for the page and the filter.
    ``size``: rows of a page."""

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
        """There is more than one page of it without a filter."""
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
        """The end of the address without the filter."""
        return self.query.but(**{self.name: "", self.filtered_by: ""})

    @property
    def others(self) -> list[tuple[str, str]]:
        """The words of the address that the form of the filter keeps."""
        return [(name, word) for name, word in self.query.words if name not in (self.name, self.filtered_by)]

    def showing(self, rows: Sequence[Other]) -> "Board[Other]":
        """Return it with what is shown of each of its rows instead of that row."""
        return replace(cast("Board[Any]", self), rows=rows)

    def number_of(self, place: int) -> int:
        """Return the number of the page, unfiltered, with the row at ``place``, from 0."""
        return place // self.size + 1

    def page_of(self, place: int) -> str:
        """Return the end of the address of the page, unfiltered, with the row at ``place``, from 0."""
        return self.query.but(
            **{self.name: self.number_of(place), **({self.filtered_by: ""} if self.filtered_by else {})}
        )


@dataclass(frozen=True, slots=True)
class RowsCounted(Sequence[Row]):
    """The rows of a query of which there are ``total``: those of a page are read, and no others."""

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
    """Return the requested page of ``rows``, the nearest there is; where something is requested by the name
    ``filtered_by``, of those rows one of whose ``words`` contains it, whatever the case. ``size``: rows of a page, if
    not ``BOARD_ROWS``.
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
    """Return a board of one page, however many rows there are."""
    return Board(rows, 1, 1, 1, len(rows), 0, query, "", "", BOARD_ROWS)


@dataclass(frozen=True, slots=True)
class OwnRow:
    """A row of a board that is the reader's own: the ``id`` of its element, the ``name`` of the bot, and its ``place``
    from 0; None where it is not to be found on another page."""

    id: str
    name: str
    place: int | None


def own_rows_marked(html: str, own: Sequence[OwnRow], board: Board[Any]) -> SafeString:
    """Mark the reader's own bots in a board that was rendered the same for all, and link to the pages of ``board`` on
    which they are."""
    for row in own:
        html = html.replace(f'<tr id="{row.id}">', f'<tr id="{row.id}" class="mine">')
    links = [(board.page_of(row.place), row.id, row.name, row.place + 1) for row in own if row.place is not None]
    found = format_html_join(" ", '<a href="{}#{}">{} <span class="muted number">{}</span></a>', links)
    label = f"{escape(_('My bots:'))} " if links else ""
    return mark_safe(html.replace(OWN_PLACES, label + found))  # noqa: S308  templates escaped it


Shown = TypeVar("Shown")


class Paged(Sequence[Shown], Generic[Row, Shown]):
    """A list of ``rows`` of which only those of the requested page are rendered, by ``show``."""

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
