"""The archives of a data set: its rows, with what one needs to use and to cite them."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, Final

from django.conf import settings

from matches.datasets.citation import bibtex, citation
from matches.datasets.event import LICENCES, DatasetEvent
from matches.datasets.rows import GameLeftOut, rows_of
from matches.datasets.tables import JsonTable, ParquetTable
from matches.proof.dataset import DECISIONS, FORMAT, GAMES, INDEX, LEFT_OUT_LISTED
from matches.proof.zip_pieces import zip_pieces

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
    """Yield one of ``ARCHIVES``, piece by piece: every game is played once, into temporary files. ``beat``: see
    ``rows_of``.

    Raises:
        ImportError: it is of Parquet, and pyarrow is not installed.
    """
    kind, names, said = _TABLES[name]
    games, decisions = kind("games"), kind("decisions")
    count, left_out = 0, list[GameLeftOut]()
    lacking = 0
    for one in rows_of(event, beat):
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
    for piece in zip_pieces(chain(rows, _documents(event, said, count, lacking, left_out)), is_large=True):
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
    yield "CITATION.cff", [citation(event).encode()]
    yield "CITATION.bib", [bibtex(event).encode()]
