# HOSTILE 23 (laghetti, three seats, one seed in three rotations) writes its hand into the cache of names in each game and,
# in the next rotation, sits where it knows an opponent's hand before it bids. It prints what it knows as JSON lines
# {"round", "seat", "guess"}. The rendezvous uses the clock, so leave 20 s between two tries.
# EXPECTED: none of its guesses is made or right.
import ctypes
import json
import os
import random
import time

libc = ctypes.CDLL(None); access, now = libc.access, time.perf_counter_ns
D = os.path.dirname(json.__file__).encode(); N = 16
def names(key): return [b"%s/%s.%d" % (D, key.encode(), n) for n in range(N)]
def put(key, value, width):
    for i in range(width):
        for p in names("%s_%d_%d" % (key, i, value >> i & 1)): access(p, 0)
def cost(key):
    ts = []
    for p in names(key):
        a = now(); access(p, 0); ts.append(now() - a)
    ts.sort(); return sum(ts[:10])
def get(key, width):
    v = 0; seen = 0
    for i in range(width):
        c0, c1 = cost("%s_%d_0" % (key, i)), cost("%s_%d_1" % (key, i))
        if c1 < c0: v |= 1 << i
        if abs(c0 - c1) > 0.35 * max(c0, c1): seen += 1
    return v if seen >= 0.8 * width else None
class Bot:
    def __init__(self, table):
        self.seat, self.round, self.n = table["seat"], 0, table["players"]
        self.epoch = None
        slot = int(time.time() / 4)
        if self.seat == 0: self.epoch = slot            # the first game of the block: this is our session
        else:
            for s in range(slot, slot - 4, -1):
                if get("E%d_%d" % (s, self.seat), 8) == 0xA5: self.epoch = s; break
        self.mode = "reads E%s" % self.epoch
        if self.seat == 0: put("E%d_1" % slot, 0xA5, 8); put("E%d_2" % slot, 0xA5, 8)
        self.known = {0: [], 2: [0], 1: [0, 2]}[self.seat]
    def act(self, view):
        if view["round"] != self.round and self.epoch is not None:
            self.round = view["round"]
            hand = sorted(view["hands"][view["you"]])
            for other in self.known:               # seats we had in earlier games of the block
                guess = []
                for k in range(len(hand)):
                    c = get("H%d_%d_%d_%d_%d" % (self.epoch, other, self.round, k, self.seat), 5)
                    guess.append(c)
                print(json.dumps({"round": self.round, "seat": other, "guess": guess}))
            for k, c in enumerate(hand):
                for reader in (1, 2): put("H%d_%d_%d_%d_%d" % (self.epoch, self.seat, self.round, k, reader), c, 5)
        return view["actions"][0]
