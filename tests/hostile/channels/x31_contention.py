# HOSTILE x31: two boxes that run at the same time, in cages of their own. view["job"]: ["w", begin, slot, bits] sweeps
# memory in the slots of its ones and sleeps in the others, ["r", begin, slot, n] counts how far it comes in each.
# EXPECTED: it works where both run on the same core, or share a cache: docs/explanation/sandbox.md has the figures.
import json
import time

import numpy as np

now = time.monotonic
SWEEP = np.zeros(24 << 20, dtype=np.uint8); SWEEP[::64] += 1
SMALL = np.zeros(1 << 20, dtype=np.uint8)
def act(view):
    what, begin, slot, bits = view["job"]
    if what == "w":
        for i, bit in enumerate(bits):
            if bit:
                while now() < begin + (i + 1) * slot: SWEEP[::64] += 1
            else: time.sleep(max(0, begin + (i + 1) * slot - now()))
    else:
        told = []
        while now() < begin: pass
        for i in range(bits):
            n = 0
            while now() < begin + (i + 1) * slot: SWEEP[:4 << 20:64] += 1; n += 1
            told.append(n)
        middle = sorted(told)[len(told) // 2]
        print(json.dumps([int(n < middle) for n in told]))
    return view["actions"][0]
