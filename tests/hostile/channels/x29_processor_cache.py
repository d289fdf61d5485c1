# HOSTILE x29: hands bits over through the processor's cache: pages of the library are the same memory for all boxes, and
# what one box has read the next one reads faster. view["job"]: ["w", key, bits] reads one of two rails of pages for each
# bit, ["r", key, n] times both and prints the bits.
# EXPECTED: it works, within one machine and as long as the cache holds it: docs/explanation/sandbox.md has the figure.
import json
import mmap
import os
import sys
import time

import numpy as np

now = time.perf_counter_ns
LINES = 64
path = next(p for p in (os.path.join(f, n) for f, _, ns in os.walk(os.path.dirname(sys.modules["msgspec"].__file__) + "/../numpy.libs") for n in ns) if "openblas" in p)
with open(path, "rb") as file: DATA = np.frombuffer(mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ), dtype=np.uint8)
DATA[::4096].sum()  # all pages are mapped before
SWEEP = np.zeros(96 << 20, dtype=np.uint8)
COUNT = np.arange(LINES, dtype=np.uint64)
def lines(key, bit):
    mixed = (COUNT + np.uint64(int(key, 16) + bit * 1009)) * np.uint64(0x9E3779B97F4A7C15)
    return (mixed >> np.uint64(20)) % np.uint64(len(DATA) // 64) * np.uint64(64)
def act(view):
    what, key, bits = view["job"]
    if what == "w":
        SWEEP[::64] += 1
        for i, b in enumerate(bits): DATA[lines(key, 2 * i + b)].sum()
    else:
        DATA[lines("1", 0)].sum()
        told = []
        for i in range(bits):
            ts = []
            for rail in (lines(key, 2 * i), lines(key, 2 * i + 1)):
                a = now(); DATA[rail]; ts.append(now() - a)
            told.append(int(ts[1] < ts[0]))
        print(json.dumps(told))
    return view["actions"][0]
