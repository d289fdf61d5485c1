"""The interface of a game's luck: the values of its positions, the means of its deals, or why there is no analysis.

The rest of an analysis is the same for all games.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from games.replay import Step
from games.state import State
from luck.game_account import Alternative, DealtGame
from luck.shares import MOMENTS, Shares, luck_share_moments


class Judge(Protocol):
    """The frozen value of a game's states. A change of any value needs a new id.

    At a chance event, the mean of ``led`` over all outcomes equals ``at``, within rounding.
    """

    def at(self, state: State) -> Shares:
        """Return the expected shares at ``state``, if each seat chooses the actions that the value considers best."""
        ...

    def led(self, before: State, after: State) -> Shares:
        """Return the expected shares at ``after``, evaluated in the turn that contains ``before``."""
        ...

    def choice(self, state: State) -> tuple[str, tuple[Alternative, ...]]:
        """Return the kind of decision of the actor of ``state``, and its alternatives, best first."""
        ...

    def roller(self, state: State) -> int:
        """Return the seat to which the chance event at ``state`` belongs; -1 if it belongs to none."""
        ...


class Value(Protocol):
    """The id of a value, and the games that it covers."""

    @property
    def id(self) -> str: ...

    @property
    def ruleset(self) -> str: ...

    def covers(self, players: int, options: Mapping[str, Any]) -> str:
        """Return the name of the first option that the value does not cover; "" if it covers the game.

        Return "players" if it does not cover the number of players.
        """
        ...


class KnownValue(NamedTuple):
    """A value, and a factory of its judge.

    ``ahead`` takes the state before a chance event, and returns the argument ``ahead`` of ``luck_share_moments``.
    Without it, luck is the only moment.
    """

    value: Value
    judge: Callable[[], Judge]
    ahead: Callable[[State], int] | None = None

    @property
    def moment_count(self) -> int:
        """The number of moments of luck."""
        return 1 if self.ahead is None else MOMENTS

    def moments(self, state: State, expected: Shares, luck: Shares) -> tuple[Shares, ...]:
        """Return the moments of the chance event at ``state``, each by seat. The first moment is ``luck``.

        ``expected`` are the expected shares before the event.
        """
        if self.ahead is None:
            return (luck,)
        ahead = self.ahead(state)
        return tuple(
            zip(*(luck_share_moments(one, own, ahead) for one, own in zip(luck, expected, strict=True)), strict=True)
        )


class DealMeans(NamedTuple):
    """The luck of the cards dealt in games of ``ruleset``. It is shown, but not used for adjustments."""

    id: str
    ruleset: str
    uncovered: Callable[[Mapping[str, Any]], str]  # returns an option that the means do not cover, or ""
    dealt: Callable[[Sequence[Step]], DealtGame]


@dataclass(frozen=True, slots=True)
class GameLuck:
    """The luck of a game, as its package registers it.

    Of the ``values`` of a ruleset, the newest must be last. A value must never be changed or removed, because running
    contests continue to use it. ``why_none`` is for a game in which chance explains too little for an analysis: an
    English sentence that says so.
    """

    values: tuple[KnownValue, ...] = ()
    deals: DealMeans | None = None
    why_none: str = ""
