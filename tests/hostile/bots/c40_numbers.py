# HOSTILE case 40: a tagged answer made of NaN, a boolean, an infinity and a length that lies.
# EXPECTED VERDICT: "malformed".
import os
import sys


def act(observation):
    tag = bytes(sys._getframe(1).f_locals["view"][1:9])
    bodies = (b"\xcb\x7f\xf8\0\0\0\0\0\0", b"\xc3", b"\xcb\x7f\xf0\0\0\0\0\0\0", b"\xdb\xff\xff\xff\xff3")
    os.write(3, b"A" + tag + bodies[observation["turn"] % 4])
    while True: os.read(3, 65536)
