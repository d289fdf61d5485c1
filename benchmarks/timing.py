"""How often something can be done."""

import time
from collections.abc import Callable
from typing import Final

ROUNDS: Final = 5
SECONDS_A_ROUND: Final = 0.4


def best(work: Callable[[], object]) -> float:
    """Return how often ``work`` is done in a second of processor time, in the best of the rounds."""
    most = 0.0
    for _ in range(ROUNDS):
        done, begin = 0, time.process_time()
        while (spent := time.process_time() - begin) < SECONDS_A_ROUND:
            work()
            done += 1
        most = max(most, done / spent)
    return most
