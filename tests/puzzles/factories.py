"""Puzzles, one line each."""

from functools import cache
from hashlib import sha256
from typing import Any

from games.catalogue import GAMES
from puzzles.making import puzzle_making_from_play
from puzzles.models import Puzzle

FIELDS = ("game", "ruleset", "value", "seat", "bots", "board", "view", "options", "played")


@cache
def _made() -> dict[str, Any]:
    puzzle = next(one for seed in range(9) for one in puzzle_making_from_play(GAMES["pickomino"], bytes([seed] * 16)))
    return {name: getattr(puzzle, name) for name in FIELDS}


def puzzle_of(**fields: Any) -> Puzzle:
    """A puzzle of Pickomino."""
    digest = sha256(str(Puzzle.objects.count()).encode()).digest()
    return Puzzle.objects.create(**{**_made(), "digest": digest, **fields})
