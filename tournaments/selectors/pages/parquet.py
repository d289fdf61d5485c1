"""Rows as Parquet, written piece by piece. pyarrow is an optional part: a site without it has no such files."""

import json
from collections.abc import Iterable, Iterator, Mapping
from importlib.util import find_spec
from itertools import islice
from typing import Any, Final

ROWS: Final = 2000  # of a group, which are in memory together
COLUMNS: Final = {
    "games": {
        **dict.fromkeys(("game", "match", "round", "table", "index", "players"), "int64"),
        **dict.fromkeys(("ruleset", "code", "seed", "digest", "record", "reason", "tie_break"), "string"),
        **dict.fromkeys(("options", "interventions", "bots"), "json"),
        "actions": "strings",
        **dict.fromkeys(("points", "places"), "numbers"),
    },
    "decisions": {
        **dict.fromkeys(("game", "number", "seat"), "int64"),
        "view": "json",
        **dict.fromkeys(("action", "stood_in"), "string"),
    },
}


def has_parquet() -> bool:
    """Tell whether pyarrow is installed."""
    return find_spec("pyarrow") is not None


def parquet_pieces(rows: Iterable[Mapping[str, Any]], table: str) -> Iterator[bytes]:
    """Yield a file of these rows, whose ``table`` is one of ``COLUMNS``.

    Raises:
        ImportError: pyarrow is not installed.
    """
    import pyarrow as pa  # not every site has it
    import pyarrow.parquet as pq

    kinds = {
        "int64": pa.int64(),
        "string": pa.string(),
        "json": pa.string(),
        "strings": pa.list_(pa.string()),
        "numbers": pa.list_(pa.float64()),
    }
    columns = COLUMNS[table]
    schema = pa.schema([(name, kinds[kind]) for name, kind in columns.items()])
    taken, left = _Taken(), iter(rows)
    with pq.ParquetWriter(taken, schema, compression="zstd") as writer:
        while batch := [_row(row, columns) for row in islice(left, ROWS)]:
            writer.write_table(pa.Table.from_pylist(batch, schema=schema))
            yield taken.all()
    yield taken.all()


def _row(row: Mapping[str, Any], columns: Mapping[str, str]) -> dict[str, Any]:
    return {name: json.dumps(row[name]) if kind == "json" else row[name] for name, kind in columns.items()}


class _Taken:
    """Where a file is written: what was written since it was last taken."""

    closed = False

    def __init__(self) -> None:
        self._waiting = bytearray()
        self._sent = 0

    def write(self, data: Any) -> int:
        written = bytes(data)
        self._waiting += written
        return len(written)

    def tell(self) -> int:
        return self._sent + len(self._waiting)

    def flush(self) -> None:
        """Do nothing: nothing is kept back."""

    def close(self) -> None:
        """Do nothing: what was written is still to be taken."""

    def all(self) -> bytes:
        data = bytes(self._waiting)
        self._sent += len(data)
        self._waiting.clear()
        return data
