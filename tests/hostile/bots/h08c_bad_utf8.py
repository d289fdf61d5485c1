# HOSTILE 08c sends a whole, tagged answer whose text is not UTF-8.
# EXPECTED VERDICT: "malformed".
import os
import sys


def act(observation):
    tag = bytes(sys._getframe(1).f_locals["view"][1:9])
    os.write(3, b"A" + tag + b"\xa4\xff\xfe\xed\xa0")
    while True: os.read(3, 65536)
