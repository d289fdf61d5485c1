"""The data set of a tournament: its games and the decisions in them, with what one needs to use and to cite them."""

import json
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, Final

from django.conf import settings

from games.record import Record, RecordError
from matches.models import Game, Match, MatchState
from matches.proof.dataset import DECISIONS, FORMAT, GAMES, INDEX, decisions_of, line_of, record_fields
from matches.proof.zip_pieces import zip_pieces
from matches.referee.rotation import seats_by_position
from tournaments.models import Publication, Tournament, TournamentState
from tournaments.selectors.pages.parquet import parquet_pieces
from web.email import link_to

AT_ONCE: Final = 20  # matches in memory
LICENCES: Final = {
    "CC0-1.0": ("CC0 1.0 Universal", "https://creativecommons.org/publicdomain/zero/1.0/"),
    "CC-BY-4.0": ("Creative Commons Attribution 4.0", "https://creativecommons.org/licenses/by/4.0/"),
    "CC-BY-SA-4.0": ("Creative Commons Attribution-ShareAlike 4.0", "https://creativecommons.org/licenses/by-sa/4.0/"),
    "ODbL-1.0": ("Open Database License 1.0", "https://opendatacommons.org/licenses/odbl/1-0/"),
}
README: Final = """{name}
{line}

{games} games of {ruleset}, and every decision in them. Licence: {licence} (see LICENSE.txt).
How to cite it: CITATION.cff, CITATION.bib. The tournament: {page}

{files}
games
  game           number of the game, from 1
  match, index   the match on the site, and the game in it, from 0
  round, table   where it was played
  ruleset, code  the rules; of a game that a package brings, by which code it was played
  players, options, seed, actions, interventions, digest
                 the record: options, seed (hexadecimal) and actions replay the game;
                 interventions: from which action on a house bot played for a seat, and why
  record         SHA-256 of the record's bytes, as in the proof of the tournament
  bots           by seat: entry, name, version
  points, places by seat, as they count: a seat at fault has the last place
  reason, tie_break  how the game ended

decisions, in the order in which they were played
  game, number   the game, and the action in it, from 0
  seat           who acted
  view           what the seat saw; its "actions" are the legal ones
  action         what was played
  stood_in       why a house bot played for the seat, or empty

To play everything again and compare it (of the archive with {jsonl}):

  peck verify dataset.zip
"""
WITH_LINES: Final = f"{GAMES}, {DECISIONS}: JSON, a row a line.\n"
WITH_COLUMNS: Final = "games.parquet, decisions.parquet: Parquet; options, interventions, bots and view are JSON.\n"


def has_dataset(tournament: Tournament) -> bool:
    """Tell whether there is a data set for who may see the results: it is over, shown, and has a licence."""
    is_shown = tournament.state == TournamentState.FINISHED and tournament.publication == Publication.EVERYONE
    return is_shown and tournament.dataset_licence != ""


def games_counted(tournament: Tournament) -> int:
    return Game.objects.filter(match__in=_matches(tournament).values("pk")).count()


def dataset_archive(tournament: Tournament) -> Iterator[bytes]:
    """Return the data set as JSON lines in a zip, piece by piece."""
    games = _CountedRows(game_rows(tournament))
    lines = {
        GAMES: (line_of(row) for row in games),
        DECISIONS: (line_of(row) for row in decision_rows(tournament)),
    }
    return zip_pieces(chain(lines.items(), _documents(tournament, WITH_LINES, games)), is_large=True)


def parquet_archive(tournament: Tournament) -> Iterator[bytes]:
    """Return the data set as Parquet in a zip, piece by piece.

    Raises:
        ImportError: pyarrow is not installed.
    """
    games = _CountedRows(game_rows(tournament))
    tables = {
        "games.parquet": parquet_pieces(games, "games"),
        "decisions.parquet": parquet_pieces(decision_rows(tournament), "decisions"),
    }
    return zip_pieces(chain(tables.items(), _documents(tournament, WITH_COLUMNS, games)), is_large=True)


def game_rows(tournament: Tournament) -> Iterator[dict[str, Any]]:
    """Yield a row for each game, round by round."""
    for number, game, match, record in _games(tournament):
        seats = [(seat.version.entries_here, seat.version) for seat in match.seats_in_order]
        order = list(seats_by_position(game.index, len(seats)))
        yield {
            "game": number,
            "match": match.pk,
            "round": match.fixture.round.number,
            "table": match.fixture.table,
            "index": game.index,
            "code": match.code,
            **record_fields(record, bytes(game.record)),
            "bots": [
                {"entry": seats[seat][0], "name": seats[seat][1].bot.name, "version": seats[seat][1].number}
                for seat in order
            ],
            "points": [game.points[seat] for seat in order],
            "places": [game.places[seat] for seat in order],
            "reason": game.reason,
            "tie_break": game.tie_break,
        }


def decision_rows(tournament: Tournament) -> Iterator[dict[str, Any]]:
    """Yield a row for each decision, game by game."""
    for number, _game, _match, record in _games(tournament):
        yield from decisions_of(number, record)


def _matches(tournament: Tournament) -> Any:
    return Match.objects.filter(fixture__round__tournament=tournament, state=MatchState.FINISHED)


def _games(tournament: Tournament) -> Iterator[tuple[int, Game, Any, Record]]:
    """Yield every game that can be played again, with its number, its match and its record; few matches are in memory,
    and no transaction is held while a slow reader takes them."""
    entries = dict(tournament.entries.filter(version__isnull=False).values_list("version", "pk"))
    order = list(_matches(tournament).order_by("fixture__round__number", "fixture__table").values_list("pk", flat=True))
    number = 0
    for start in range(0, len(order), AT_ONCE):
        batch = order[start : start + AT_ONCE]
        matches = _matches(tournament).select_related("fixture__round").prefetch_related("seats__version__bot")
        by_id: dict[int, Any] = matches.in_bulk(batch)
        games = Game.objects.filter(match__in=batch).order_by("index")
        of_match: dict[int, list[Game]] = {pk: [] for pk in batch}
        for game in games:
            of_match[game.match_id].append(game)
        for pk in batch:
            match = by_id[pk]
            match.seats_in_order = sorted(match.seats.all(), key=lambda seat: seat.index)
            for seat in match.seats_in_order:
                seat.version.entries_here = entries.get(seat.version_id)
            for game in of_match[pk]:
                try:
                    record, _outcome, _actors = Record.proved(bytes(game.record))
                except RecordError:  # its game is not installed any more, or is another one
                    continue
                number += 1
                yield number, game, match, record


class _CountedRows:
    """Rows that are read once; ``count``: how many have been."""

    def __init__(self, rows: Iterator[dict[str, Any]]) -> None:
        self._rows, self.count = rows, 0

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for row in self._rows:
            self.count += 1
            yield row


def _documents(tournament: Tournament, files: str, rows: _CountedRows) -> Iterator[tuple[str, Iterable[bytes]]]:
    """Yield what stands beside the rows, once all of them are written: it says how many games there are."""
    name, licence = tournament.name, tournament.dataset_licence
    title, address = LICENCES[licence]
    page = link_to("tournaments:detail", tournament.slug)
    games = rows.count
    facts = {"format": FORMAT, "name": name, "licence": licence, "games": games, "site": settings.SITE_URL or None}
    said: dict[str, Callable[[], str]] = {
        INDEX: lambda: json.dumps(facts, indent=1),
        "README.txt": lambda: README.format(
            name=name,
            line="=" * len(name),
            games=games,
            ruleset=tournament.ruleset,
            licence=licence,
            page=page,
            files=files,
            jsonl=GAMES,
        ),
        "LICENSE.txt": lambda: f"SPDX-License-Identifier: {licence}\n\n{title}\n{address}\n",
        "CITATION.cff": lambda: citation(tournament, page),
        "CITATION.bib": lambda: bibtex(tournament, page),
    }
    for path, text in said.items():
        yield path, [text().encode()]


def citation(tournament: Tournament, page: str) -> str:
    """Return how the data set is cited, as CFF; every text is written in quotes."""
    said = {
        "cff-version": "1.2.0",
        "type": "dataset",
        "message": "If you use this data set, please cite it.",
        "title": f"{tournament.name}: games and decisions",
        "authors": [{"name": tournament.organiser.get_username()}],
        "license": tournament.dataset_licence,
        "url": page,
    }
    if tournament.finished_at is not None:
        said["date-released"] = tournament.finished_at.date().isoformat()
    return "".join(f"{name}: {yaml_text(value)}\n" for name, value in said.items())


def yaml_text(value: object) -> str:
    r"""Return a value as JSON that YAML reads alike: it takes a pair of surrogates for two letters, and refuses control
    characters.

    >>> print(yaml_text("a\x7f \N{ROOSTER}"))
    "a\U0000007f \U0001f413"
    """
    text = json.dumps(value, ensure_ascii=False)
    return "".join(one if one.isprintable() and one < "\U00010000" else f"\\U{ord(one):08x}" for one in text)


def bibtex(tournament: Tournament, page: str) -> str:
    """Return how the data set is cited in BibTeX."""
    year = tournament.finished_at.year if tournament.finished_at else ""
    return (
        f"@misc{{{tournament.slug},\n"
        f"  title = {{{bibtex_text(tournament.name)}: games and decisions}},\n"
        f"  author = {{{{{bibtex_text(tournament.organiser.get_username())}}}}},\n"
        f"  year = {{{year}}},\n"
        f"  url = {{{page}}},\n"
        f"  note = {{Data set, {tournament.dataset_licence}}}\n}}\n"
    )


def bibtex_text(text: str) -> str:
    r"""Return text in which no letter means anything to LaTeX.

    >>> print(bibtex_text("50 % {of} a_b"))
    50 \% of a\_b
    """
    plain = text.translate(str.maketrans("", "", "\\{}~^"))
    return "".join(f"\\{letter}" if letter in "&%$#_" else letter for letter in plain)
