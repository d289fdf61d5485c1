# HOSTILE 19c keeps its answer to the first turn and gives it again in the second.
# EXPECTED VERDICT: "protocol".
import os
import sys


def act(observation):
    tag = bytes(sys._getframe(1).f_locals["view"][1:9])
    while True:
        os.write(3, b"A" + tag + b"\xa13")
        os.read(3, 65536)
