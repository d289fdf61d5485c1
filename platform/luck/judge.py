"""What a game says of its luck: the values of its positions, the means of its deals, or why nothing is told.

Everything else of an analysis is the same for all games.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from games.replay import Step
from games.state import State
from luck.account import Alternative, DealtGame
from luck.shares import MOMENTS, Shares, moments_of


class Judge(Protocol):
    """The value of one game's states, frozen: a change of any value needs a new id.

    At a chance event the mean of ``led`` over all that may be shown is ``at``, within rounding.
    """

    def at(self, state: State) -> Shares:
        """Return the shares expected at ``state``, each seat playing on as well as the value knows."""
        ...

    def led(self, before: State, after: State) -> Shares:
        """Return the shares expected at ``after``, seen from the turn that ``before`` is part of."""
        ...

    def choice(self, state: State) -> tuple[str, tuple[Alternative, ...]]:
        """Return what kind of decision the actor of ``state`` has, and its actions, the best first."""
        ...

    def roller(self, state: State) -> int:
        """Return the seat whose chance event comes at ``state``; -1 if it is nobody's."""
        ...


class Value(Protocol):
    """What a value is called, and which games it is for."""

    @property
    def id(self) -> str: ...

    @property
    def ruleset(self) -> str: ...

    def covers(self, players: int, options: Mapping[str, Any]) -> str:
        """Return the name of the first option, or "players", that the value was not made for; "" if it covers them
        all.
        """
        ...


class KnownValue(NamedTuple):
    """A value, and who judges the positions of one game by it.

    ``ahead`` is asked for a state before chance, see ``moments_of``; without it luck alone is told.
    """

    value: Value
    judge: Callable[[], Judge]
    ahead: Callable[[State], int] | None = None

    @property
    def told(self) -> int:
        """How many moments of luck it tells."""
        return 1 if self.ahead is None else MOMENTS

    def moments(self, state: State, expected: Shares, luck: Shares) -> tuple[Shares, ...]:
        """Return the moments of what chance shows at ``state``, the first its ``luck``; each by seat, as the shares
        that were ``expected`` before."""
        if self.ahead is None:
            return (luck,)
        ahead = self.ahead(state)
        return tuple(zip(*(moments_of(one, own, ahead) for one, own in zip(luck, expected, strict=True)), strict=True))


class DealMeans(NamedTuple):
    """What the cards dealt in a game of ``ruleset`` were worth: told, and subtracted from nothing."""

    id: str
    ruleset: str
    uncovered: Callable[[Mapping[str, Any]], str]  # the name of an option that it was not made for, or ""
    dealt: Callable[[Sequence[Step]], DealtGame]


@dataclass(frozen=True, slots=True)
class GameLuck:
    """The luck of one game, as its package registers it.

    ``values``: of each ruleset the newest last; none is ever changed or taken out, since contests that have begun go on
    by theirs. ``why_none``: an English sentence, for a game of which chance explains too little to be told.
    """

    values: tuple[KnownValue, ...] = ()
    deals: DealMeans | None = None
    why_none: str = ""
