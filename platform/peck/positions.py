"""Analyse the recorded decisions of a bot's seats for ``peck drill-make``."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from games.encoding import LONGEST
from games.record import Record, RecordError
from games.untrusted import untrusted_file_read
from matches.referee.costly_positions import LookedAt, costly_positions_of_game


class Source(NamedTuple):
    """A recorded game, and the table positions whose decisions are analysed."""

    path: Path
    seats: tuple[int, ...]


@contextmanager
def positions_naming_file(path: Path) -> Iterator[None]:
    """Add the name of the file to every RecordError of the block."""
    try:
        yield
    except RecordError as error:
        raise RecordError(error.part, f"{path}: {error.detail}") from None


def positions_looked_at(source: Source) -> LookedAt:
    """Return the loss of each decision of the seats of ``source``.

    Raises:
        RecordError, UntrustedError, OSError: the file cannot be read, or is not valid.
    """
    data = untrusted_file_read(source.path, LONGEST)
    with positions_naming_file(source.path):
        record = Record.decode(data)
        if missing := [seat for seat in source.seats if seat not in range(record.players)]:
            raise RecordError("seat", f"there is no seat {missing[0]}: it has {record.players}, from 0")
        return costly_positions_of_game(source.path.stem, data, record, source.seats)
