"""Rows as files: as JSON lines, or as Parquet, for which a site needs pyarrow."""

import gzip
import json
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from tempfile import TemporaryFile
from typing import Any, Final

from matches.proof.dataset import line_of

ROWS: Final = 2000  # of a group, which are in memory together
CHUNK: Final = 2**16  # bytes
FAST: Final = 1  # of zlib
COLUMNS: Final = {
    "games": {
        **dict.fromkeys(("game", "match", "round", "table", "index", "players"), "int64"),
        **dict.fromkeys(("ruleset", "code", "seed", "digest", "record", "reason", "tie_break"), "string"),
        **dict.fromkeys(("options", "interventions", "bots", "ruled"), "json"),
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


class JsonTable:
    """Rows as JSON, one a line, packed in a temporary file until they are read."""

    def __init__(self, _table: str) -> None:
        self._file = TemporaryFile()  # noqa: SIM115  ``pieces`` closes it
        self._lines = gzip.GzipFile(fileobj=self._file, mode="wb", compresslevel=FAST)

    def add(self, row: Mapping[str, Any]) -> None:
        self._lines.write(line_of(row))

    def pieces(self) -> Iterator[bytes]:
        """Yield the file; nothing can be added any more."""
        self._lines.close()
        self._file.seek(0)
        with self._file, gzip.GzipFile(fileobj=self._file) as lines:
            while piece := lines.read(CHUNK):
                yield piece


class ParquetTable:
    """Rows as Parquet in a temporary file; ``table`` is one of ``COLUMNS``.

    Raises:
        ImportError: pyarrow is not installed.
    """

    def __init__(self, table: str) -> None:
        import pyarrow as pa  # not every site has it
        import pyarrow.parquet as pq

        kinds = {
            "int64": pa.int64(),
            "string": pa.string(),
            "json": pa.string(),
            "strings": pa.list_(pa.string()),
            "numbers": pa.list_(pa.float64()),
        }
        self._columns = COLUMNS[table]
        self._schema = pa.schema([(name, kinds[kind]) for name, kind in self._columns.items()])
        self._grouped = pa.Table.from_pylist
        self._file = TemporaryFile()  # noqa: SIM115  ``pieces`` closes it
        self._writer = pq.ParquetWriter(self._file, self._schema, compression="zstd")
        self._rows: list[dict[str, Any]] = []

    def add(self, row: Mapping[str, Any]) -> None:
        cells = {name: json.dumps(row[name]) if kind == "json" else row[name] for name, kind in self._columns.items()}
        self._rows.append(cells)
        if len(self._rows) >= ROWS:
            self._write()

    def _write(self) -> None:
        self._writer.write_table(self._grouped(self._rows, schema=self._schema))
        self._rows.clear()

    def pieces(self) -> Iterator[bytes]:
        """Yield the file; nothing can be added any more."""
        if self._rows:
            self._write()
        self._writer.close()
        self._file.seek(0)
        with self._file:
            while piece := self._file.read(CHUNK):
                yield piece
