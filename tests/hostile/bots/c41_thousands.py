# HOSTILE case 41: thousands of whole answers to one question.
# EXPECTED VERDICT: "unsolicited" or "protocol".
import os
import sys


def act(observation):
    tag = bytes(sys._getframe(1).f_locals["view"][1:9])
    for _ in range(5000): os.write(3, b"A" + tag + b"\xa13")
    while True: os.read(3, 65536)
