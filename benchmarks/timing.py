"""Measure how often a function can be called per second."""

import time
from collections.abc import Callable
from typing import Final

ROUNDS: Final = 5
SECONDS_A_ROUND: Final = 0.4


def best(work: Callable[[], object]) -> float:
    """Return the number of calls of ``work`` per second of processor time, in the best of several rounds."""
    most = 0.0
    for _ in range(ROUNDS):
        done, begin = 0, time.process_time()
        while (spent := time.process_time() - begin) < SECONDS_A_ROUND:
            work()
            done += 1
        most = max(most, done / spent)
    return most
