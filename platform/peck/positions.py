"""Records whose decisions are looked at for a drill, as files."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from games.encoding import LONGEST
from games.record import Record, RecordError
from games.untrusted import untrusted_file_read
from matches.referee.costly_positions import LookedAt, costly_positions_of_game


class Source(NamedTuple):
    """A recorded game and the seats in it, by position at the table, whose decisions are looked at."""

    path: Path
    seats: tuple[int, ...]


@contextmanager
def positions_naming_file(path: Path) -> Iterator[None]:
    """Have every RecordError of the block name the file."""
    try:
        yield
    except RecordError as error:
        raise RecordError(error.part, f"{path}: {error.detail}") from None


def positions_looked_at(source: Source) -> LookedAt:
    """Return what the decisions of the seats of ``source`` cost.

    Raises:
        RecordError, UntrustedError, OSError: the file cannot be read, or does not hold.
    """
    data = untrusted_file_read(source.path, LONGEST)
    with positions_naming_file(source.path):
        record = Record.decode(data)
        if missing := [seat for seat in source.seats if seat not in range(record.players)]:
            raise RecordError("seat", f"there is no seat {missing[0]}: it has {record.players}, from 0")
        return costly_positions_of_game(source.path.stem, data, record, source.seats)
