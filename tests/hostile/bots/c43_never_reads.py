# HOSTILE case 43: answers one turn and never reads again.
# EXPECTED VERDICT: "slept" or "not_reading" (or "unsolicited", by guessing).
import os
import sys
import time


def act(observation):
    tag = bytes(sys._getframe(1).f_locals["view"][1:9])
    os.write(3, b"A" + tag + b"\xa13")
    time.sleep(1e6)
