"""Finished matches as a chain tells of them, and the records of their games as a proof holds them."""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any, Final

from matches.models import Fault, Game, Match
from matches.proof.chain import fault_digest

BATCH: Final = 100  # matches read at once


def result_content(match: Match, entries: Mapping[int, int]) -> dict[str, Any]:
    """Return what a chain tells of a finished match; ``entries`` by version."""
    return {
        "seats": [entries[seat.version_id] for seat in match.seats.all()],
        "blocks": match.blocks_played,
        "ending": match.ending,
        "forfeited": [seat.has_forfeited for seat in match.seats.all()],
        "games": [_game(game) for game in match.games.all()],
    }


def records_of(matches: list[int]) -> Iterator[bytes]:
    """Return the records of all games, match by match."""
    for start in range(0, len(matches), BATCH):
        batch = matches[start : start + BATCH]
        order = {match: at for at, match in enumerate(batch)}
        games = Game.objects.filter(match__in=batch).values_list("match", "index", "record")
        for _, _, record in sorted(games, key=lambda game: (order[game[0]], game[1])):
            yield bytes(record)


def _game(game: Game) -> dict[str, Any]:
    return {
        "record": sha256(bytes(game.record)).hexdigest(),
        "points": game.points,
        "places": game.places,
        "faults": [_fault(fault) for fault in game.faults.all()],
    }


def _fault(fault: Fault) -> dict[str, Any]:
    contents = {"exception": fault.exception, "detail": fault.detail, "line": fault.line, "answer": fault.answer}
    return {
        "seat": fault.seat.index,
        "verdict": fault.verdict,
        "action": fault.action_index,
        "said": fault_digest(contents),
    }
