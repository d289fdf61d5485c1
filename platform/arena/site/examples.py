"""The worked examples of the rules pages: each game's ``examples.json``, vectors that the tests run through the engine.

A page shows what an example's actions are, with the totals of its checkpoints; the words around it are the page's. So
what a page shows is what the engine does, or a test fails.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from games.catalogue import GAMES
from games.vectors import vectors_of


@dataclass(frozen=True, slots=True)
class ExampleStep:
    """One action of an example, and what the dice set aside or the cards played add up to after it, if it tells."""

    action: Mapping[str, Any]
    total: int | None


@cache
def example_vectors(name: str) -> tuple[Mapping[str, Any], ...]:
    """Return the examples of the game ``name``; none if its page has none."""
    file = GAMES[name].file("examples.json")
    return tuple(vectors_of(json.loads(file.read_text(encoding="utf-8")))) if file.is_file() else ()


def examples(name: str) -> dict[str, list[ExampleStep]]:
    """Return the examples' steps by their ids, for a template."""
    return {vector["id"]: _steps(vector) for vector in example_vectors(name)}


def _steps(vector: Mapping[str, Any]) -> list[ExampleStep]:
    totals = {one["after_action"]: one.get("total", one.get("announce")) for one in vector.get("checkpoints", ())}
    return [ExampleStep(action, totals.get(at)) for at, action in enumerate(vector["actions"])]
