"""The child process of ``pairing`` for the rules of 2026.

It reads players as JSON from stdin, and writes pairs as JSON to stdout. It imports nothing from this project. It
imports caissify-pairings after the limits are set. If this library finds no round by the rules, it draws a greedy round
and logs a warning. This process ends on that warning, so that such a round is never used.
"""

import json
import logging
import resource
import sys
from typing import Final

MEMORY: Final = 2 * 1024**3  # bytes of address space
IMPOSSIBLE: Final = 3  # exit status: the rules allow no round


class _Fallback(logging.Handler):
    """Records that the library has logged its fallback."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.said = False

    def emit(self, _record: logging.LogRecord) -> None:
        self.said = True


def main(seconds: int) -> int:
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    from caissify_pairings.engines.dutch import DutchEngine

    position = json.load(sys.stdin)
    fallback = _Fallback()
    logging.getLogger().addHandler(fallback)
    engine = DutchEngine(
        players=position["players"],
        previous_pairings={(one, other) for one, other in position["met"]},
        round_number=position["round"],
        total_rounds=position["rounds"],
        initial_color=position["initial_color"],
    )
    try:
        pairings = engine.generate_pairings()
    except ValueError:
        return IMPOSSIBLE
    if fallback.said:
        return IMPOSSIBLE
    sys.stdout.write(json.dumps([(pairing["white_id"], pairing["black_id"] or 0) for pairing in pairings]))
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
