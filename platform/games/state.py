"""The interface of a game's state: immutable, with one actor at a time; chance is an actor too."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final, TypeAlias, cast

from games.chance import NONE, Chance, Odds, chance_odds

Seat: TypeAlias = int  # 0 .. players - 1, in turn order
CHANCE: Final[Seat] = -1  # the seat of dice and decks
View: TypeAlias = Mapping[str, Any]  # JSON, valid against Ruleset.view_schema


class IllegalAction(ValueError):
    """The text is not a legal action; ``legal`` lists the legal actions."""

    def __init__(self, text: object, legal: tuple[str, ...]) -> None:
        self.text = str(text)[:80]
        self.legal = legal
        super().__init__(
            f"{self.text!r} is not legal here; legal: {', '.join(legal[:30]) or 'nothing, the game is over'}"
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game, by seat. Reasons are codes, not prose."""

    points: tuple[int, ...]  # more is better
    places: tuple[int, ...]  # 1 is best; seats that tie share a place: (1, 1, 3)
    reason: str  # why the game ended
    tie_break: str  # what decided between seats with equal points; "" if there were none

    @classmethod
    def by_points(cls, points: tuple[int, ...], reason: str) -> "Outcome":
        """Return an outcome ranked by points alone."""
        return cls(points, tuple(1 + sum(other > own for other in points) for own in points), reason, "")


class State(ABC):
    """One moment of a game: immutable, hashable, and complete except for future chance."""

    __slots__ = ()

    @property
    @abstractmethod
    def actor(self) -> Seat:
        """The seat to act. It is CHANCE if dice or a deck decide, and also once the game is over."""

    @property
    @abstractmethod
    def turn(self) -> int:
        """The number of the turn: 0 before the first, then from 1. It never decreases."""

    @abstractmethod
    def actions(self) -> tuple[str, ...]:
        """Return every legal action of the actor, in a fixed order; empty exactly when the game is over."""

    def weight(self, action: str) -> int:
        """Return the relative probability of a chance action. Unless overridden, all actions are equally likely."""
        return 1

    def chance_outcomes(self) -> Odds:
        """Return the outcomes of chance as indexes into ``actions()``, with their probabilities; empty at a seat's turn
        and at the end. Every call returns the same tuples.
        """
        return chance_odds(tuple(map(self.weight, self.actions()))) if self.actor == CHANCE and self.actions() else NONE

    @abstractmethod
    def play(self, action: str) -> "State":
        """Return the state after ``action``, which must be one of ``actions()``. This is not checked here: see
        ``read``.
        """

    def read(self, text: str) -> str:
        """Return the legal action that ``text`` denotes.

        Raises:
            IllegalAction: no legal action has this notation.
        """
        actions = self.actions()
        try:
            return actions[actions.index(text)]
        except ValueError:
            raise IllegalAction(text, actions) from None

    @abstractmethod
    def chance(self) -> Chance | None:
        """Return what the dealer must draw now; None at a seat's turn and once the game is over."""

    @abstractmethod
    def view(self, seat: Seat | None) -> dict[str, Any]:
        """Return what ``seat`` may know, built from an allow-list; None is the spectator, who sees everything.

        ``view["actions"]`` lists the legal actions in the actor's own view and is empty in all others.
        """

    def seen(self, action: str, seat: Seat) -> str | None:
        """Return ``action``, played in this state, as ``seat`` sees it; None if it is hidden. Unless overridden, every
        action is public.

        The returned text contains all that ``seat`` learns from the action: if two states have the same view for a
        seat, and it sees the same text for an action in each, then the next states have the same view, too.
        """
        return action

    def resample(self, seat: Seat, rng: Random) -> "State":
        """Return a state with the same view for ``seat`` whose hidden parts are dealt again with ``rng``.

        All such deals are equally likely. The result depends only on that view and on ``rng``, so it reveals nothing
        hidden. It ignores what the seat could remember from earlier views or infer from the choices of others. A game
        with hidden information overrides it.
        """
        return self

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """Return the result, or None while the game goes on."""

    def event(self) -> str:
        """Return a code for an event that the last action caused and that a viewer can jump to ("take", "end"), or "".
        Unless overridden, only the end is an event.
        """
        return "" if self.actions() else "end"

    def options(self) -> Mapping[str, Any]:
        """Return all options of this game by name; none unless overridden."""
        return {}

    def facts(self) -> tuple[Hashable, ...]:
        """Return the state as nested tuples of plain JSON values. A record's digest covers them, so they must stay the
        same for a version of the rules. Unless overridden, they are the fields of a named tuple.
        """
        return tuple(cast(tuple[Hashable, ...], self))
