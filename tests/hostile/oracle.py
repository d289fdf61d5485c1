"""h23 at a table of three: does it know hands that it cannot see?"""

import json
from pathlib import Path
from typing import Final

from games.catalogue import current
from games.protocol import Limits
from games.table import Table
from matches.referee import MatchSpec, series_games_play
from sandbox import Cage

_LIMITS: Final = Limits(act_cpu=2, act_wall=20, game_cpu=120, game_wall=600, output=1 << 14)
_SHOWS_ITS_HANDS: Final = b"""
import json
class Bot:
    def __init__(self, table): self.seat, self.round = table["seat"], 0
    def act(self, view):
        if view["round"] != self.round:
            self.round = view["round"]
            print(json.dumps({"round": self.round, "seat": self.seat, "hand": sorted(view["hands"][view["you"]])}))
        return view["actions"][0]
"""
# It finds the game before by the clock. Here it is given: so it guesses in any case, and no match has to wait.
_RENDEZVOUS: Final = ("int(time.time() / 4)", "if self.seat == 0: self.epoch")


def right_guesses(cage: Cage, match: int) -> tuple[int, int]:
    """Hands that h23 has guessed right in a match of one block, and hands that it has tried to guess."""
    source = (Path(__file__).parent / "channels" / "h23_hand_oracle.py").read_text()
    assert all(source.count(each) == 1 for each in _RENDEZVOUS)
    clock, first = _RENDEZVOUS
    spy = source.replace(clock, str(match)).replace(first, "if True: self.epoch").encode()
    rules = current("laghetti")
    entrants = tuple({"bot.py": each} for each in (spy, _SHOWS_ITS_HANDS, _SHOWS_ITS_HANDS))
    order = MatchSpec(rules, rules.validate(3, {}), _LIMITS, bytes([match]) * 16, 1, entrants)
    right = could = 0
    for game in series_games_play(order, cage, _unwatched):
        assert not game.faults, game.faults
        guesses, *shown = ([json.loads(line) for line in text.splitlines()] for text in game.printed)
        hands = {(row["seat"], row["round"]): row["hand"] for each in shown for row in each}
        could += len(guesses)
        right += sum(guess["guess"] == hands[guess["seat"], guess["round"]] for guess in guesses)
    return right, could


def _unwatched(index: int, table: Table) -> None:
    """Nobody looks."""
