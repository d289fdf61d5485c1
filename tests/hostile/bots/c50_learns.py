# HOSTILE case 50, played twice: counts its games in every place that a process offers.
# EXPECTED VERDICT: "plays on" - each game has a fresh process.
import os
import random
import sys


class Bot:
    games = 0
    def __init__(self, table):
        type(self).games += 1
        random.games = getattr(random, "games", 0) + 1
        if self.games > 1 or random.games > 1 or "learned" in sys.modules: raise RuntimeError("LEAK game %d of this process" % self.games)
        sys.modules["learned"] = random
    def act(self, observation):
        if observation["turn"] and not self.games: raise RuntimeError("its own game is forgotten")
        return observation["legal_moves"][0]
