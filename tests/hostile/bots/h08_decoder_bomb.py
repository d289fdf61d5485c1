# HOSTILE 08 answers by itself, with this turn's tag and bytes made to upset the judge's decoder: deep nesting.
# EXPECTED VERDICT: "malformed" - a typed decoder refuses it at once; no exception of the judge's own.
import os
import sys


def act(observation):
    tag = bytes(sys._getframe(1).f_locals["view"][1:9])
    os.write(3, b"A" + tag + b"\x91" * 3000)
    while True: os.read(3, 65536)
