"""The archives of a data set: rows as JSON lines or as Parquet, with a README, the licence and citations.

Citations are in CFF and BibTeX. Parquet needs pyarrow, which is optional.
"""

import gzip
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from itertools import chain
from tempfile import TemporaryFile
from typing import Any, Final

from django.conf import settings

from matches.datasets.rows import LICENCES, DatasetEvent, GameLeftOut, dataset_rows
from matches.proof.archive import proof_archive_zip_pieces
from matches.proof.dataset import DECISIONS, FORMAT, GAMES, INDEX, LEFT_OUT_LISTED, proof_dataset_line_of

ROWS: Final = 2000  # rows in a row group of Parquet; one group is held in memory
CHUNK: Final = 2**16  # bytes
FAST: Final = 1  # zlib level
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


def dataset_has_parquet() -> bool:
    """Return whether pyarrow is installed."""
    return find_spec("pyarrow") is not None


class JsonTable:
    """Writes rows as JSON lines, compressed, to a temporary file."""

    def __init__(self, _table: str) -> None:
        self._file = TemporaryFile()  # noqa: SIM115  ``pieces`` closes it
        self._lines = gzip.GzipFile(fileobj=self._file, mode="wb", compresslevel=FAST)

    def add(self, row: Mapping[str, Any]) -> None:
        self._lines.write(proof_dataset_line_of(row))

    def pieces(self) -> Iterator[bytes]:
        """Yield the content of the file. No rows can be added afterwards."""
        self._lines.close()
        self._file.seek(0)
        with self._file, gzip.GzipFile(fileobj=self._file) as lines:
            while piece := lines.read(CHUNK):
                yield piece


class ParquetTable:
    """Writes rows as Parquet to a temporary file. ``table`` is a key of ``COLUMNS``.

    Raises:
        ImportError: pyarrow is not installed.
    """

    def __init__(self, table: str) -> None:
        import pyarrow as pa  # optional dependency
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
        """Yield the content of the file. No rows can be added afterwards."""
        if self._rows:
            self._write()
        self._writer.close()
        self._file.seek(0)
        with self._file:
            while piece := self._file.read(CHUNK):
                yield piece


JSON_ARCHIVE, PARQUET_ARCHIVE = ("dataset.zip", "dataset-parquet.zip")
README: Final = """{name}
{line}

{games} games of {ruleset}, and every decision in them. Licence: {licence} (see LICENSE.txt).
How to cite it: CITATION.cff, CITATION.bib. The site: {page}

{files}
games
  game           number of the game, from 1
  match, index   the match on the site, and the game in it, from 0
  round, table   where it was played; of a season: the number of the match, and 0
  ruleset, code  the rules; of a game that a package brings, by which code it was played
  players, options, seed, actions, interventions, digest
                 the record: options, seed (hexadecimal) and actions replay the game;
                 interventions: from which action on a house bot played for a seat, and why
  record         SHA-256 of the record's bytes, as in the proof
  bots           by seat: entry, name, version
  points, places by seat, as they count: a seat at fault has the last place
  reason, tie_break  how the game ended
  ruled          null, or what a ruling says of the match: its "kind" and the "scores" by seat
                 with which the match counts
                 void, replay, superseded: the match counts for nobody; replace: with these scores

decisions, in the order in which they were played
  game, number   the game, and the action in it, from 0
  seat           who acted
  view           what the seat saw; its "actions" are the legal ones
  action         what was played
  stood_in       why a house bot played for the seat, or empty

Games that could not be played again are listed in dataset.json, in "left_out".

To play everything again and compare it (of the archive with {jsonl}):

  peck verify dataset.zip
"""
WITH_LINES: Final = f"{GAMES}, {DECISIONS}: JSON, a row a line.\n"
WITH_COLUMNS: Final = (
    "games.parquet, decisions.parquet: Parquet; options, interventions, bots, ruled and view are JSON.\n"
)
_TABLES: Final[dict[str, tuple[Any, tuple[str, str], str]]] = {
    JSON_ARCHIVE: (JsonTable, (GAMES, DECISIONS), WITH_LINES),
    PARQUET_ARCHIVE: (ParquetTable, ("games.parquet", "decisions.parquet"), WITH_COLUMNS),
}
ARCHIVES: Final = tuple(_TABLES)


def dataset_archive(event: DatasetEvent, name: str, beat: Callable[[], None] = lambda: None) -> Iterator[bytes]:
    """Yield the archive ``name``, one of ``ARCHIVES``, in pieces.

    Every game is replayed once, and its rows are written to temporary files. For ``beat``, see ``dataset_rows``.

    Raises:
        ImportError: the archive is Parquet, and pyarrow is not installed.
    """
    kind, names, said = _TABLES[name]
    games, decisions = kind("games"), kind("decisions")
    count, left_out = 0, list[GameLeftOut]()
    lacking = 0
    for one in dataset_rows(event, beat):
        if isinstance(one, GameLeftOut):
            lacking += 1
            if len(left_out) < LEFT_OUT_LISTED:
                left_out.append(one)
            continue
        count += 1
        games.add(one.game)
        for row in one.decisions:
            decisions.add(row)
    rows = zip(names, (games.pieces(), decisions.pieces()), strict=True)
    for piece in proof_archive_zip_pieces(
        chain(rows, _documents(event, said, count, lacking, left_out)), is_large=True
    ):
        beat()
        yield piece


def _documents(
    event: DatasetEvent, files: str, games: int, lacking: int, left_out: Sequence[GameLeftOut]
) -> Iterator[tuple[str, Iterable[bytes]]]:
    title, address = LICENCES[event.licence]
    facts = {
        "format": FORMAT,
        "name": event.name,
        "licence": event.licence,
        "games": games,
        "left_out_games": lacking,
        "left_out": [{"match": one.match, "index": one.index, "reason": one.reason} for one in left_out],
        "site": settings.SITE_URL or None,
    }
    readme = README.format(
        name=event.name,
        line="=" * len(event.name),
        games=games,
        ruleset=event.ruleset,
        licence=event.licence,
        page=event.page,
        files=files,
        jsonl=GAMES,
    )
    yield INDEX, [json.dumps(facts, indent=1).encode()]
    yield "README.txt", [readme.encode()]
    yield "LICENSE.txt", [f"SPDX-License-Identifier: {event.licence}\n\n{title}\n{address}\n".encode()]
    yield "CITATION.cff", [dataset_archive_citation(event).encode()]
    yield "CITATION.bib", [dataset_archive_bibtex(event).encode()]


def dataset_archive_citation(event: DatasetEvent) -> str:
    """Return the citation of the data set in CFF. All values are quoted."""
    fields = {
        "cff-version": "1.2.0",
        "type": "dataset",
        "message": "If you use this data set, please cite it.",
        "title": f"{event.name}: games and decisions",
        "authors": [{"name": event.by}],
        "license": event.licence,
        "url": event.page,
    }
    if event.finished_at is not None:
        fields["date-released"] = event.finished_at.date().isoformat()
    return "".join(f"{name}: {_yaml_text(value)}\n" for name, value in fields.items())


def _yaml_text(value: object) -> str:
    r"""Return a value as JSON that YAML reads as the same text.

    YAML would read a surrogate pair as two characters, and it rejects control characters. So both are escaped.

    >>> print(_yaml_text("a\x7f \N{ROOSTER}"))
    "a\U0000007f \U0001f413"
    """
    text = json.dumps(value, ensure_ascii=False)
    return "".join(one if one.isprintable() and one < "\U00010000" else f"\\U{ord(one):08x}" for one in text)


def dataset_archive_bibtex(event: DatasetEvent) -> str:
    """Return the citation of the data set in BibTeX."""
    year = event.finished_at.year if event.finished_at else ""
    return (
        f"@misc{{{event.slug},\n"
        f"  title = {{{_bibtex_text(event.name)}: games and decisions}},\n"
        f"  author = {{{{{_bibtex_text(event.by)}}}}},\n"
        f"  year = {{{year}}},\n"
        f"  url = {{{event.page}}},\n"
        f"  note = {{Data set, {event.licence}}}\n}}\n"
    )


def _bibtex_text(text: str) -> str:
    r"""Return ``text`` with LaTeX's special characters escaped.

    >>> print(_bibtex_text("50 % {of} a_b"))
    50 \% of a\_b
    """
    plain = text.translate(str.maketrans("", "", "\\{}~^"))
    return "".join(f"\\{letter}" if letter in "&%$#_" else letter for letter in plain)
