"""Compare the bridge to OpenSpiel with OpenSpiel itself: play the same games, and measure the time of both.

python -m benchmarks.bridge [GAMES]

Requires ``packages/openspiel``. GAMES random games are played of each offered game, a tenth of that if the board is
large.
"""

import random
import sys
import time
from math import isclose
from typing import Any

from games.catalogue import GAMES, PACKAGES

DISTRIBUTION = "pecking-order-openspiel"
LARGE = 20_000  # number of distinct actions times the length of the longest game
TIMED = 100


def differences(state: Any, rng: random.Random) -> tuple[int, int]:
    """Play a random game from ``state`` with the bridge and with OpenSpiel. Return the number of nodes, and the number
    of nodes at which the actor, the legal actions, the chances or the returns differ.
    """
    board, nodes, wrong = state._board, 0, 0
    alone = board.game.new_initial_state()
    while texts := state.actions():
        legal = alone.legal_actions()
        at, nodes = rng.randrange(len(legal)), nodes + 1
        if alone.is_chance_node():
            odds = state.weight(texts[at]) / sum(map(state.weight, texts))
            is_same = list(texts) == [f"draw {one}" for one in legal]
            is_same &= isclose(odds, alone.chance_outcomes()[at][1], rel_tol=1e-6)
        else:
            expected = [alone.action_to_string(one) for one in legal] if board.is_named else list(map(str, legal))
            is_same = list(texts) == expected and state.actor == alone.current_player()
        wrong += not is_same
        state = state.play(texts[at])
        alone.apply_action(legal[at])
    is_over = alone.is_terminal()
    outcome = state.outcome()
    returns = [round(one) for one in alone.returns()] if is_over else [0] * board.players
    return nodes, wrong + ((list(outcome.points), outcome.reason) != (returns, "end" if is_over else "length"))


def seconds(ruleset: Any, games: int) -> tuple[float, float]:
    """Return the processor time of this number of random games in seconds, with the bridge and with OpenSpiel."""
    first = ruleset.start(ruleset.seats[0], {})
    began = time.process_time()
    for number in range(games):
        rng, state = random.Random(number), first
        while actions := state.actions():
            state = state.play(rng.choice(actions))
    between = time.process_time()
    for number in range(games):
        rng, alone, moves = random.Random(number), first._board.game.new_initial_state(), 0
        while not alone.is_terminal() and moves < first._board.cap:
            moves += not alone.is_chance_node()
            alone.apply_action(rng.choice(alone.legal_actions()))
    return between - began, time.process_time() - between


def main(games: int) -> None:
    """Print a line for each game."""
    print(f"{'game':24}{'games':>8}{'nodes':>10}{'differ':>8}{'ms a game':>12}{'alone':>8}{'ratio':>7}")
    for name, (distribution, _) in PACKAGES.items():
        if distribution != DISTRIBUTION:
            continue
        ruleset = GAMES[name].current
        options = ruleset.validate(ruleset.seats[0], {})
        is_large = len(ruleset.vocabulary(options)) * ruleset.max_actions(ruleset.seats[0], options) > LARGE
        played = games // 10 if is_large else games
        found = [
            differences(ruleset.start(ruleset.seats[number % len(ruleset.seats)], {}), random.Random(number))
            for number in range(played)
        ]
        bridge, alone = (1000 * one / TIMED for one in seconds(ruleset, TIMED))
        print(
            f"{name:24}{played:8}{sum(nodes for nodes, _ in found):10}{sum(wrong for _, wrong in found):8}"
            f"{bridge:12.2f}{alone:8.2f}{bridge / alone:7.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
