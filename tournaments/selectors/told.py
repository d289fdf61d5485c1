"""A finished match as a chain tells of it."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from matches.models import Fault, Game, Match
from tournaments.proof.chain import said_digest


def result_told(match: Match, entries: Mapping[int, int]) -> dict[str, Any]:
    """What a chain tells of a finished match; ``entries`` by version."""
    return {
        "seats": [entries[seat.version_id] for seat in match.seats.all()],
        "blocks": match.blocks_played,
        "ending": match.ending,
        "forfeited": [seat.forfeited for seat in match.seats.all()],
        "games": [_game(game) for game in match.games.all()],
    }


def _game(game: Game) -> dict[str, Any]:
    return {
        "record": sha256(bytes(game.record)).hexdigest(),
        "points": game.points,
        "places": game.places,
        "faults": [_fault(fault) for fault in game.faults.all()],
    }


def _fault(fault: Fault) -> dict[str, Any]:
    said = {"exception": fault.exception, "detail": fault.detail, "line": fault.line, "answer": fault.answer}
    return {
        "seat": fault.seat.index,
        "verdict": fault.verdict,
        "action": fault.action_index,
        "said": said_digest(said),
    }
