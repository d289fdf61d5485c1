"""Step 2, the ruleset: options, vocabulary, schema and bound."""

from typing import Any, Final

from games.ruleset import Option, Options, Ruleset
from tests.games.eggs.position import EGGS, LAYS, Position

OPTIONS: Final = {"hand": Option(3, (3, 5), "Eggs in a hand", "How many eggs everybody is dealt, and how many rounds.")}


def start(players: int, options: Options) -> Position:
    return Position(players, options["hand"], hands=((),) * players, dealt=0, nest=(), points=(0,) * players)


def vocabulary(options: Options) -> tuple[str, ...]:
    return LAYS


def max_actions(players: int, options: Options) -> int:
    """Exactly so many: every player lays every egg."""
    return players * int(options["hand"])


def _integers(least: int, most: int, **more: Any) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "integer", "minimum": least, "maximum": most}, **more}


VIEW_SCHEMA: Final = {
    "type": "object",
    "properties": {
        "game": {"const": "eggs/1"},
        "options": {"type": "object", "properties": {name: option.schema() for name, option in OPTIONS.items()}},
        "you": {"enum": [None, 0, 1, 2, 3]},
        "players": {"enum": [2, 3, 4]},
        "actor": {"enum": [-1, 0, 1, 2, 3]},
        "turn": {"type": "integer", "minimum": 0, "maximum": 6},
        "hands": {"type": "array", "items": {"anyOf": [{"type": "null"}, _integers(0, EGGS - 1, maxItems=5)]}},
        "nest": _integers(0, EGGS - 1, maxItems=3),
        "points": _integers(0, 5),
        "actions": {"type": "array", "items": {"enum": list(LAYS)}},
    },
    "required": ["game", "options", "you", "players", "actor", "turn", "hands", "nest", "points", "actions"],
    "additionalProperties": False,
}

BEST_EGG: Final = Ruleset(
    name="eggs",
    version=1,
    title="Best Egg",
    seats=range(2, 5),
    options=OPTIONS,
    view_schema=VIEW_SCHEMA,
    opening=start,
    vocabulary=vocabulary,
    max_actions=max_actions,
)
