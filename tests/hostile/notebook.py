"""Notes that a bot keeps for its next game in the time of day (h27): how many its successor reads, and what in bits.

``python -m tests.hostile.notebook`` prints the rest of the channel for both ways and several slots.
"""

import math
import secrets
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from games.protocol import Limits
from matches.referee.scoring import scoring_pause_after_game
from sandbox import Cage

LEVELS: Final = 64
BOT: Final = {"bot.py": Path(__file__).with_name("channels").joinpath("h27_clock_notebook.py").read_bytes()}
_LIMITS: Final = Limits(act_cpu=10, act_wall=20, game_cpu=20, game_wall=40)


def notes(cage: Cage, where: str, slot: float, games: int, *, same_seed: bool) -> list[tuple[int, float]]:
    """Return for each game the note that was left before it, and the instant at which its bot was made; games follow
    each other as the referee has them do.
    """
    left: list[tuple[int, float]] = []
    note: int | None = None
    for _ in range(games + 1):
        began = time.monotonic()
        box = cage.start(BOT, {}, 1, _LIMITS)
        before, note = note, secrets.randbelow(LEVELS)
        born = float(box.act({"job": [where, note, slot], "actions": ["go"]}).output)
        box.finish({})
        box.close()
        if before is not None:
            left.append((before, born))
        time.sleep(scoring_pause_after_game(time.monotonic() - began, same_seed=same_seed))
    return left


def right(read: Sequence[tuple[int, float]], slot: float) -> int:
    """Return how many notes are read rightly by the constant offset that is best for all of them, chosen afterwards."""
    return max(Counter((int(born / slot) - note) % LEVELS for note, born in read).values())


def bits(hits: int, games: int) -> float:
    """Return the bits a game of a channel of 64 notes that brings so many through, and each other one as often."""
    share = hits / games
    wrong = 1 - share
    return math.log2(LEVELS) + sum(
        part * math.log2(part / many) for part, many in ((share, 1), (wrong, LEVELS - 1)) if part
    )


def main() -> None:
    with Cage.open() as cage:
        for where in ("game_over", "act"):
            for same_seed in (True, False):
                for slot in (0.005, 0.01, 0.02, 0.05):
                    games = 100 if where == "game_over" else 40
                    hits = right(notes(cage, where, slot, games, same_seed=same_seed), slot)
                    seed = "same seed" if same_seed else "another seed"
                    print(
                        f"{where:10}{seed:13}{slot * 1000:4.0f} ms  {hits:3} of {games}  {bits(hits, games):.2f} bits"
                    )


if __name__ == "__main__":
    main()
