"""Compare a step of the engine's games with a step of OpenSpiel's Python games, in one run.

A step is an action of a player or of chance. Both engines play complete random games through their public interfaces.
The engine also checks that each action is legal, derives dice and cards from a keyed hash, and records the game.
"Like length" compares with games of at least 20 steps: in OpenSpiel, dominoes and liar's poker.

OpenSpiel need not be installed in the project's environment: any Python with OpenSpiel and numpy can run ``python -m
benchmarks engine`` with the folder ``platform`` on its PYTHONPATH.
"""

import random
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from statistics import mean, median
from typing import Any, Final

from benchmarks.timing import best
from games.catalogue import GAMES as ALL_GAMES
from games.dealer import block_seed
from games.ruleset import Ruleset
from games.table import Table

GAMES: Final = ("python_block_dominoes", "python_team_dominoes", "python_liars_poker")
SAMPLE: Final = 100  # games to count the steps of a game


def compare() -> None:
    print(" OpenSpiel's Python games, a step each, chance included")
    if find_spec("pyspiel") is None:
        print("  not installed; where it is (pip install open_spiel), this compares our games with it")
        return
    theirs = {name: _step_of_theirs(name) for name in GAMES}
    for name, microseconds in theirs.items():
        print(f"  {name:<36}{microseconds:>10.1f} us")
    middle = median(theirs.values())
    for ruleset in [game.current for game in ALL_GAMES.values()]:
        own = _step_of_ours(ruleset)
        ratio = f"{own / middle:.2f} of OpenSpiel's median, {own / min(theirs.values()):.2f} of its fastest"
        print(f"  {ruleset.name:<36}{own:>10.1f} us             ({ratio}; aim 2 at most)")


def _step_of_ours(ruleset: Ruleset) -> float:
    luck, seeds = random.Random(1).random, (block_seed(b"openspiel", number) for number in count())

    def play() -> Table:
        table = Table(ruleset, ruleset.seats.start, {}, next(seeds))
        while legal := table.state.actions():
            table.play(legal[int(luck() * len(legal))])
        return table

    return _microseconds(play, lambda: sum(1 for _ in play().record().replay()))


def _step_of_theirs(name: str) -> float:
    import_module("open_spiel.python.games")  # registers them
    game, luck = import_module("pyspiel").load_game(name), random.Random(1).random

    def play() -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(_choice(state, luck))
            steps += 1
        return steps

    return _microseconds(play, play)


def _choice(state: Any, luck: Callable[[], float]) -> int:
    """Return a random action of a player or of chance. In all of GAMES, outcomes of chance are equally likely."""
    legal = [action for action, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
    return int(legal[int(luck() * len(legal))])


def _microseconds(play: Callable[[], object], steps: Callable[[], int]) -> float:
    """Return the processor time of a step of ``play`` in microseconds. ``steps`` plays, too, and counts the steps."""
    length = mean(steps() for _ in range(SAMPLE))
    return 1e6 / best(play) / length
