"""What the views of all games have; ``schema.view_schema`` says the same as a JSON schema."""

from collections.abc import Mapping
from typing import Any, Protocol

from games.state import State


class ViewRules(Protocol):
    """What a table plays by."""

    @property
    def players(self) -> int: ...
    def options(self) -> Mapping[str, Any]: ...


def whole(game: str, state: State, rules: ViewRules, seat: int | None, **facts: Any) -> dict[str, Any]:
    """Return the view of ``seat``, with the ``facts`` of the game. The actor -1 is chance, or nobody when the game is
    over.
    """
    actor = state.actor
    return {
        "game": game,
        "options": rules.options(),
        "you": seat,
        "players": rules.players,
        "actor": actor,
        **facts,
        "actions": list(state.actions()) if seat == actor else [],
    }
