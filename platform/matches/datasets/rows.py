"""Rows of a data set: its games and their decisions. The contest is a tournament or a season that is over."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, Final

from django.db import models

from games.record import Record, RecordError
from matches.bot_history.selectors import MatchRuling, match_rulings_of
from matches.models import Game, Match, MatchState, Seat
from matches.proof.dataset import proof_dataset_decisions, proof_dataset_record_fields
from matches.referee.scoring import scoring_seats_by_position

LICENCES: Final = {
    "CC0-1.0": ("CC0 1.0 Universal", "https://creativecommons.org/publicdomain/zero/1.0/"),
    "CC-BY-4.0": ("Creative Commons Attribution 4.0", "https://creativecommons.org/licenses/by/4.0/"),
    "CC-BY-SA-4.0": ("Creative Commons Attribution-ShareAlike 4.0", "https://creativecommons.org/licenses/by-sa/4.0/"),
    "ODbL-1.0": ("Open Database License 1.0", "https://opendatacommons.org/licenses/odbl/1-0/"),
}


class DatasetLicence(models.TextChoices):
    """The licences for data sets, by their SPDX identifiers."""

    CC0 = "CC0-1.0", "CC0 1.0"
    BY = "CC-BY-4.0", "CC BY 4.0"
    BY_SA = "CC-BY-SA-4.0", "CC BY-SA 4.0"
    ODBL = "ODbL-1.0", "ODbL 1.0"


@dataclass(frozen=True, slots=True)
class DatasetEvent:
    """A contest that is over.

    ``contest`` is its name among the contests of matches, such as "tournament.5". ``page`` is its address, and ``by``
    its organiser. ``entries`` returns the entry number of each version. ``places`` yields the finished matches in
    order, each with the numbers of its round and its table. In a season, the match itself counts as the round.
    """

    contest: str
    name: str
    slug: str
    page: str
    by: str
    ruleset: str
    licence: str
    finished_at: datetime | None
    places: Callable[[], Iterator[tuple[int, int, int]]]
    entries: Callable[[Iterable[int]], Mapping[int, int]]


logger = logging.getLogger(__name__)

AT_ONCE: Final = 20  # matches in memory
DECISIONS_MOST: Final = 20_000  # decisions in a game; those of one game are in memory together


@dataclass(frozen=True, slots=True)
class GameRows:
    """The row of a game, and the rows of its decisions."""

    game: Mapping[str, Any]
    decisions: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class GameLeftOut:
    """A game that is missing from the data set: game ``index`` of a match, and the reason."""

    match: int
    index: int
    reason: str


def dataset_rows(event: DatasetEvent, beat: Callable[[], None]) -> Iterator[GameRows | GameLeftOut]:
    """Yield every game in order, or the reason why it is left out. Only ``AT_ONCE`` matches are in memory.

    ``beat`` is called before each game. An exception in ``beat`` ends the work.
    """
    number, places = 0, event.places()
    while batch := {match: (round_number, table) for match, round_number, table in islice(places, AT_ONCE)}:
        matches = Match.objects.in_bulk(batch)
        seats, games = _seats(batch), _games(batch)
        entries = event.entries({seat.version_id for of_match in seats.values() for seat in of_match})
        rulings = match_rulings_of(dict.fromkeys(batch, event.contest))
        for match, place in batch.items():
            for game in games.get(match, ()):
                beat()
                try:
                    record, decisions = _played(number + 1, bytes(game.record))
                except RecordError as error:  # the package of its game is missing or has changed
                    yield GameLeftOut(match, game.index, f"its record cannot be played here: {error.part}")
                    continue
                except Exception as error:  # a package's rules may raise anything
                    logger.warning("game %s of match %s is left out of a data set", game.index, match, exc_info=True)
                    yield GameLeftOut(match, game.index, f"its rules failed: {type(error).__name__}")
                    continue
                number += 1
                at = {"game": number, "match": match, "round": place[0], "table": place[1], "index": game.index}
                row = _game(game, matches[match].code, record, seats[match], entries, rulings.get(match))
                yield GameRows(at | row, decisions)


def dataset_rows_games_counted(matches: Any) -> int:
    """Return the number of games in those ``matches`` that are finished."""
    return Game.objects.filter(match__in=matches.filter(state=MatchState.FINISHED).values("pk")).count()


def _seats(matches: Mapping[int, Any]) -> dict[int, list[Seat]]:
    found: dict[int, list[Seat]] = {match: [] for match in matches}
    for seat in Seat.objects.filter(match__in=matches).select_related("version__bot").order_by("index"):
        found[seat.match_id].append(seat)
    return found


def _games(matches: Mapping[int, Any]) -> dict[int, list[Game]]:
    found: dict[int, list[Game]] = {match: [] for match in matches}
    for game in Game.objects.filter(match__in=matches).order_by("index"):
        found[game.match_id].append(game)
    return found


def _played(number: int, data: bytes) -> tuple[Record, list[dict[str, Any]]]:
    record, _outcome, _actors = Record.proved(data)
    decisions = list(islice(proof_dataset_decisions(number, record), DECISIONS_MOST + 1))
    if len(decisions) > DECISIONS_MOST:
        raise RecordError("long", f"more than {DECISIONS_MOST} decisions")
    return record, decisions


def _game(
    game: Game,
    code: str,
    record: Record,
    seats: Sequence[Seat],
    entries: Mapping[int, int],
    ruling: MatchRuling | None,
) -> dict[str, Any]:
    order = list(scoring_seats_by_position(game.index, len(seats)))
    sat = [seats[seat].version for seat in order]
    return {
        "code": code,
        **proof_dataset_record_fields(record, bytes(game.record)),
        "bots": [{"entry": entries.get(one.pk), "name": one.bot.name, "version": one.number} for one in sat],
        "points": [game.points[seat] for seat in order],
        "places": [game.places[seat] for seat in order],
        "reason": game.reason,
        "tie_break": game.tie_break,
        "ruled": _ruled(ruling, order) if ruling else None,
    }


def _ruled(ruling: MatchRuling, order: Sequence[int]) -> dict[str, Any]:
    """Return the ruling on a game's match as a field of the game's row.

    ``order`` has the seats of the match in table order.
    """
    scores = [ruling.scores.get(seat, 0) for seat in order] if ruling.counts else None
    return {"kind": ruling.kind.value, "scores": scores}
