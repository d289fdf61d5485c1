# HOSTILE 18 gives a good answer and ends its process with status 0, as if the match were over and won.
# EXPECTED VERDICT: "exited" - never a win.
import os
import sys


def act(observation):
    tag = bytes(sys._getframe(1).f_locals["view"][1:9])
    os.write(3, b"A" + tag + b"\xa13")
    os._exit(0)
