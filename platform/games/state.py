"""What a game is: immutable states, one actor at a time, chance as an ordinary actor."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final, TypeAlias, cast

from games.chance import NONE, Chance, Odds, chance_odds

Seat: TypeAlias = int  # 0 .. players - 1, in turn order
CHANCE: Final[Seat] = -1  # the seat of dice and deck
View: TypeAlias = Mapping[str, Any]  # JSON, valid against Ruleset.view_schema


class IllegalAction(ValueError):
    """The text names no legal action; ``legal`` lists those that do."""

    def __init__(self, text: object, legal: tuple[str, ...]) -> None:
        self.text = str(text)[:80]
        self.legal = legal
        super().__init__(
            f"{self.text!r} is not legal here; legal: {', '.join(legal[:30]) or 'nothing, the game is over'}"
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game, by seat. Codes, not prose."""

    points: tuple[int, ...]  # more is better
    places: tuple[int, ...]  # 1 is best; seats that tie share a place: (1, 1, 3)
    reason: str  # why the game ended
    tie_break: str  # what separated seats with equal points, "" if nothing had to

    @classmethod
    def by_points(cls, points: tuple[int, ...], reason: str) -> "Outcome":
        """Return the end at which more points are better, and nothing breaks a tie."""
        return cls(points, tuple(1 + sum(other > own for other in points) for own in points), reason, "")


class State(ABC):
    """One moment of a game: immutable, hashable and complete, but for what chance has yet to draw."""

    __slots__ = ()

    @property
    @abstractmethod
    def actor(self) -> Seat:
        """The seat to act; CHANCE where dice or deck decide, and once the game is over."""

    @property
    @abstractmethod
    def turn(self) -> int:
        """Which turn of the game this is: 0 before the first, then from 1. It never decreases."""

    @abstractmethod
    def actions(self) -> tuple[str, ...]:
        """Return every legal action of the actor, in a fixed order; empty exactly when the game is over."""

    def weight(self, action: str) -> int:
        """Return the relative odds of a chance action. Uniform unless overridden."""
        return 1

    def chance_outcomes(self) -> Odds:
        """Return what chance may do here, as places in ``actions()``, and how likely each is; nothing at a seat's turn
        and at the end. Every call returns the same tuples.
        """
        return chance_odds(tuple(map(self.weight, self.actions()))) if self.actor == CHANCE and self.actions() else NONE

    @abstractmethod
    def play(self, action: str) -> "State":
        """Return the state after ``action``, which must be one of ``actions()`` (not checked here: see ``read``)."""

    def read(self, text: str) -> str:
        """Return the legal action written ``text``.

        Raises:
            IllegalAction: no legal action has that notation.
        """
        actions = self.actions()
        try:
            return actions[actions.index(text)]
        except ValueError:
            raise IllegalAction(text, actions) from None

    @abstractmethod
    def chance(self) -> Chance | None:
        """Return what the dealer must draw now; None exactly when it is a seat's turn or the game is over."""

    @abstractmethod
    def view(self, seat: Seat | None) -> dict[str, Any]:
        """Return what ``seat`` may know, built by an allow-list; None is the spectator, who sees all.

        ``view["actions"]`` lists the legal actions in the actor's own view and is empty in every other.
        """

    def seen(self, action: str, seat: Seat) -> str | None:
        """Return ``action`` as ``seat`` sees it played from here; None if hidden. Public unless overridden.

        It tells all that ``seat`` learns: states that look alike to a seat still do after actions that it sees alike.
        """
        return action

    def resample(self, seat: Seat, rng: Random) -> "State":
        """Return a state with the same view for ``seat`` and its hidden parts dealt again from ``rng``.

        All such deals are equally likely. It depends on that view and on ``rng`` alone, so it tells nothing that the
        seat does not see; what it might remember of earlier views, or conclude from what the others chose to do, is
        not used. A game with secrets overrides it.
        """
        return self

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """Return the result, or None while the game goes on."""

    def event(self) -> str:
        """Return a code for what the last action brought about, if a viewer would jump to it ("take", "end"); else
        "". Only the end has one unless overridden.
        """
        return "" if self.actions() else "end"

    def options(self) -> Mapping[str, Any]:
        """Return every option that this game is played with, by name; none unless overridden."""
        return {}

    def facts(self) -> tuple[Hashable, ...]:
        """Return the state as nested tuples of plain JSON values: what a record's hash is taken over. Part of the
        version. The fields of a named tuple unless overridden.
        """
        return tuple(cast(tuple[Hashable, ...], self))
