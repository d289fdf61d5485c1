"""One turn, played many times through the engine: what a policy is worth, by Monte Carlo."""

from collections.abc import Callable
from math import sqrt
from statistics import mean, stdev
from typing import Any, NamedTuple

from games.dealer import Dealer
from games.state import State
from pecking.testing.random_games import random_game_seed


class Estimate(NamedTuple):
    """A mean with its standard error."""

    mean: float
    error: float

    def holds(self, value: float) -> bool:
        """Whether ``value`` is within four standard errors, which chance misses once in sixteen thousand times."""
        return abs(self.mean - value) <= 4 * self.error


def worth_of_turn(
    state: State, act: Callable[[Any], str], worth: Callable[[list[State]], float], turns: int
) -> Estimate:
    """What ``worth`` makes of the states of a turn that begins in ``state``, over so many turns played by ``act``."""
    worths = [worth(_played(state, act, Dealer(random_game_seed("one turn", number)))) for number in range(turns)]
    return Estimate(mean(worths), stdev(worths) / sqrt(turns))


def _played(state: State, act: Callable[[Any], str], dealer: Dealer) -> list[State]:
    """All states from ``state`` to the first one after its turn."""
    states = [state]
    while states[-1].turn == state.turn and (legal := states[-1].actions()):
        request = states[-1].chance()
        action = act(states[-1].view(states[-1].actor)) if request is None else dealer.deal(request)
        assert action in legal
        states.append(states[-1].play(action))
    return states
