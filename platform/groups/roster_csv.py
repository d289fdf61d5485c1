"""Read a roster that somebody pasted from a spreadsheet, and find the errors in its lines.

The columns are name, email address or roster id, cohort and alias, in this order unless the first line names them.
They are separated by commas, semicolons or tabs. The first line is a header if it has no "@" and names a column for the
name, the address or the id. Otherwise it is a person.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from web.name_keys import name_key

ROWS_MOST: Final = 5_000
TEXT_MOST: Final = 1_000_000  # characters
MOST: Final = {"roster_id": 60, "name": 80, "email": 254, "cohort": 60, "alias": 30}  # characters of a cell
COLUMNS: Final = ("name", "email", "cohort", "alias")  # if the first line is not a header
SEPARATORS: Final = "\t;,"
HEADERS: Final = {
    "name": "name full_name student student_name person nom nome cognome_nome vorname_name teilnehmer",
    "email": "email e-mail mail e-mail-address email_address address adresse courriel e-mail-adresse indirizzo posta",
    "roster_id": "id roster_id student_id matrikelnummer number nummer numéro matricola personalnummer",
    "cohort": "cohort class group section klasse gruppe classe groupe coorte gruppo kohorte cohorte team",
    "alias": "alias pseudonym nickname nick pseudonyme pseudonimo surnom",
}
ADDRESS: Final = re.compile(r"[^\s@,;<>()\[\]\\\"]{1,64}@[^\s@,;<>()\[\]\\\"]+\.[^\s@,;<>()\[\]\\\".]{2,63}")
# Our own downloads put an apostrophe before such a cell, so that spreadsheets do not read it as a formula
# (``web.downloads``).
ESCAPED: Final = re.compile(r"'(?=[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])")


class RosterFault(StrEnum):
    """Why a line cannot be used."""

    NOBODY = "nobody"  # neither a name nor an address nor an id
    ADDRESS = "address"
    TOO_LONG = "too_long"
    UNREADABLE = "unreadable"  # line breaks or invisible characters in a cell
    COLUMNS = "columns"  # more cells than columns
    TWICE_EMAIL = "twice_email"
    TWICE_ID = "twice_id"
    TWICE_ALIAS = "twice_alias"


class RosterTooLarge(ValueError):
    """The text has more than ``ROWS_MOST`` lines or ``TEXT_MOST`` characters."""


@dataclass(frozen=True, slots=True)
class RosterLine:
    """The content of a line; ``line`` is its number, counted from 1.

    If there is a ``fault``, the other fields are only for display. If the fault is a duplicate, ``of_line`` is the
    number of the earlier line that has the same address, id or alias.
    """

    line: int
    roster_id: str = ""
    name: str = ""
    email: str = ""
    cohort: str = ""
    alias: str = ""
    fault: RosterFault | None = None
    of_line: int = 0


def group_roster_read(text: str) -> list[RosterLine]:
    """Return the content of each line of ``text`` that is not empty.

    Raises:
        RosterTooLarge: there are too many lines or characters.
    """
    if len(text) > TEXT_MOST:
        raise RosterTooLarge
    rows = list(_roster_rows(text.removeprefix("\ufeff").replace("\0", "\N{REPLACEMENT CHARACTER}")))
    columns: tuple[str, ...] = COLUMNS
    if rows and (named := _header(rows[0][1])):
        columns, rows = named, rows[1:]
    if len(rows) > ROWS_MOST:
        raise RosterTooLarge
    return list(_duplicates_marked(_roster_line(number, cells, columns) for number, cells in rows))


def _roster_rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the cells of each line with at least one cell that is not empty."""
    lines = text.splitlines()
    first = next((line for line in lines if line.strip()), "")
    counted = Counter(one for one in re.sub(r'"[^"]*"', "", first) if one in SEPARATORS)
    separator = max(SEPARATORS, key=lambda one: (counted[one], -SEPARATORS.index(one)))
    for number, line in enumerate(lines, 1):
        try:
            cells = next(csv.reader([line], delimiter=separator), [])
        except csv.Error:  # a cell of more than 128 KiB
            cells = [line]
        cells = [ESCAPED.sub("", cell.strip()).strip() for cell in cells]
        while cells and not cells[-1]:
            cells.pop()
        if cells:
            yield number, cells


def _header(cells: list[str]) -> tuple[str, ...]:
    """Return the columns that the first line names, "" for an unknown one; an empty tuple if it is not a header."""
    known = {word: column for column, words in HEADERS.items() for word in words.split()}
    named = [known.get(re.sub(r"\s+", "_", cell.casefold()), "") for cell in cells]
    named = ["" if name in named[:at] else name for at, name in enumerate(named)]
    if any("@" in cell for cell in cells) or not {"name", "email", "roster_id"} & set(named):
        return ()
    return tuple(named)


def _roster_line(number: int, cells: list[str], columns: tuple[str, ...]) -> RosterLine:
    cells_by_name = {name: cell for name, cell in zip(columns, cells, strict=False) if name and cell}
    is_named = columns != COLUMNS
    if not is_named:
        cells_by_name = _placed(cells, cells_by_name)
    cut = {name: cell[: MOST[name]] for name, cell in cells_by_name.items()}
    line = replace(RosterLine(number), **cut)  # type: ignore[arg-type]  # fields of text
    if not is_named and len(cells) > len(columns):
        return replace(line, fault=RosterFault.COLUMNS)
    if any(not cell.isprintable() for cell in cells_by_name.values()):
        shown = {
            name: "".join(one if one.isprintable() else "\N{REPLACEMENT CHARACTER}" for one in cell)
            for name, cell in cut.items()
        }
        return replace(line, **shown, fault=RosterFault.UNREADABLE)  # type: ignore[arg-type]
    if cut != cells_by_name:
        return replace(line, fault=RosterFault.TOO_LONG)
    if line.email and not ADDRESS.fullmatch(line.email):
        return replace(line, fault=RosterFault.ADDRESS)
    if not (line.name or line.email or line.roster_id):
        return replace(line, fault=RosterFault.NOBODY)
    return line


def _placed(cells: list[str], said: dict[str, str]) -> dict[str, str]:
    """Return the cells by column, for a roster without a header.

    The second cell is an address if it contains an "@", otherwise an id. If the first cell has an "@" and the second
    has none, the first cell is the address, and the line has no name.
    """
    if "@" in cells[0] and (len(cells) == 1 or "@" not in cells[1]):
        said = dict(zip(("email", "cohort", "alias"), cells, strict=False))
    elif "email" in said and "@" not in said["email"]:
        said["roster_id"] = said.pop("email")
    return {name: cell for name, cell in said.items() if cell}


def _duplicates_marked(lines: Iterator[RosterLine]) -> Iterator[RosterLine]:
    """Yield the lines; a line that repeats an address, id or alias of an earlier line gets a fault."""
    seen: dict[tuple[str, str], int] = {}
    for line in lines:
        if line.fault is None:
            keys = {
                RosterFault.TWICE_EMAIL: name_key(line.email),
                RosterFault.TWICE_ID: line.roster_id,
                RosterFault.TWICE_ALIAS: name_key(line.alias),
            }
            twice = [(fault, seen[fault, key]) for fault, key in keys.items() if key and (fault, key) in seen]
            if twice:
                fault, first = twice[0]
                line = replace(line, fault=fault, of_line=first)
            else:
                seen |= {(fault, key): line.line for fault, key in keys.items() if key}
        yield line
