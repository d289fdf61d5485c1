# HOSTILE case 35: answers at once by itself and then hogs the core for ever, so that the opponent loses on time.
# EXPECTED VERDICT: "slept", "cpu_time", "off_turn" or "protocol": its own loss, never the opponent's.
import os
import sys


def act(observation):
    tag = bytes(sys._getframe(1).f_locals["view"][1:9])
    os.write(3, b"A" + tag + b"\xa13")
    while True: pass
