# HOSTILE 22 keeps bits for its next game, or hands them to another box, through the kernel's cache of names that do not
# exist: a look-up below the library's folder leaves a negative entry in the host's file system, which all boxes share.
# The harness tells it what to do in view["job"]: ["w", key, bits] writes, ["r", key, n] reads by timing and prints the bits.
# EXPECTED: no more bits agree than by chance (64 of 128 within 3 standard deviations), in the next box, in another cage
# five seconds later, and between two live boxes of a match, in every way into the cage.
import ctypes
import json
import os
import random
import time

libc = ctypes.CDLL(None)
D = os.path.dirname(json.__file__) .encode()       # a real folder of the library
NAMES = 24                                   # names per bit
def names(key, bit): return [b"%s/%s-%d-%d" % (D, key, bit, n) for n in range(NAMES)]
access, now = libc.access, time.perf_counter_ns
def probe(paths):
    ts = []
    for p in paths:
        a = now(); access(p, 0); ts.append(now() - a)
    ts.sort(); return sum(ts[:len(ts)*2//3])
def write(key, bits):
    for i, b in enumerate(bits):
        for p in names(key, 2*i + b):        # dual rail: one of two rails is made warm
            access(p, 0)
def read(key, n):
    out, margins = [], []
    for i in range(n):
        c0, c1 = names(key, 2*i), names(key, 2*i+1)
        t0, t1 = probe(c0), probe(c1)
        out.append(0 if t0 < t1 else 1); margins.append((t0, t1))
    return out, margins
def act(view):
    job = view["job"]
    a = time.process_time_ns()
    if job[0] == "w": write(job[1].encode(), job[2]); r = None
    else:
        for _ in range(3): probe([D + b"/warm-up-%d" % random.getrandbits(60) for _ in range(50)])
        r = read(job[1].encode(), job[2])
    if r: print(json.dumps(r[0]))
    return view["actions"][0]
