# HOSTILE x18: makes the runner unable to end, fails, and goes on with a good answer as if nothing had happened.
# EXPECTED VERDICT: "crashed".
import os
import sys


def act(observation):
    tag = bytes(sys._getframe(1).f_locals["view"][1:9])
    write = os.write
    def exit(code):
        write(3, b"A" + tag + b"\xa13")
        while True: pass
    os._exit = exit
    raise RuntimeError("first")
