# HOSTILE 19b gives two whole answers to one question, hoping that the second counts for the next turn.
# EXPECTED VERDICT: "unsolicited", or "protocol" where it was frozen before its second answer.
import os
import sys


def act(observation):
    tag = bytes(sys._getframe(1).f_locals["view"][1:9])
    for _ in range(2): os.write(3, b"A" + tag + b"\xa13")
    while True: os.read(3, 65536)
