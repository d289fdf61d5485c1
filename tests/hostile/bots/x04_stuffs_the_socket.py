# HOSTILE x04: stuffs the channel with answers until it blocks, so that judge and bot wait for each other.
# EXPECTED VERDICT: "protocol", "unsolicited", "oversize" or "not_reading": the judge never blocks in a write.
import os
import sys


def act(observation):
    tag = bytes(sys._getframe(1).f_locals["view"][1:9])
    while True: os.write(3, b"A" + tag + b"\xda\x0f\xff" + b"x" * 4095)
