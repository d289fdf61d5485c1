# HOSTILE 28 overflows the C stack: deep nesting for the parser and for repr, with Python's own limit out of the way.
# EXPECTED VERDICT: "killed" or "crashed" or "memory".
import sys


def act(observation):
    sys.setrecursionlimit(10 ** 8)
    x = []
    for _ in range(10 ** 6): x = [x]
    repr(x)
    def down(): down()
    down()
