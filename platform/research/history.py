"""The history of a state, and what each seat has seen of it."""

from collections.abc import Iterator, Mapping
from typing import Any

from games.catalogue import find
from games.numbered import NumberedGame
from games.state import State


class Held:
    """A state of a game with its history. A ``Held`` is immutable, so a copy of it is the same object. It is pickled as
    the list of its actions.

    ``past`` is the previous ``Held``, and the action that led from it to this one. The first ``Held`` has no ``past``;
    in its place, it has ``known``: what each seat had seen before.
    """

    __slots__ = ("at", "game", "known", "past")

    def __init__(
        self, game: NumberedGame, at: State, past: "tuple[Held, str] | None", known: tuple[list[Any], ...] = ()
    ) -> None:
        self.game = game
        self.at = at
        self.past = past
        self.known = known

    def __deepcopy__(self, memo: Any) -> "Held":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        steps = [*self.steps()]
        first, game = steps[-1][0] if steps else self, self.game
        actions = [action for _, action in reversed(steps)]
        return _held, (game.ruleset.id, game.players, game.options, first.at.facts(), first.known, actions)

    def steps(self) -> "Iterator[tuple[Held, str]]":
        """Yield each previous ``Held`` with the action played there, the last one first."""
        past = self.past
        while past is not None:
            yield past
            past = past[0].past

    def seen(self, seat: int) -> list[Any]:
        """Return what ``seat`` has seen: each action, or None for a hidden one."""
        first, seen = self, []
        for first, action in self.steps():
            seen.append(first.at.seen(action, seat))
        return [*first.known[seat], *reversed(seen)]


def _held(
    ruleset: str, players: int, options: Mapping[str, Any], facts: Any, known: tuple[list[Any], ...], actions: list[str]
) -> Held:
    """Return the unpickled state with its history."""
    game = NumberedGame(find(ruleset), players, options)
    held = Held(game, game.from_facts(facts), None, known)
    for action in actions:
        held = Held(game, held.at.play(action), (held, action))
    return held
