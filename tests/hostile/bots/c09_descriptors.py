# HOSTILE case 09: opens descriptors until there is none left, and keeps them for the whole game.
# EXPECTED VERDICT: "plays on" with 16 descriptors; "LEAK" = more than that.
import os

KEPT = []
def act(observation):
    for source in (lambda: os.open(os.__file__, os.O_RDONLY), lambda: os.dup(3), lambda: os.open("/bot", os.O_RDONLY), lambda: os.dup(0)):
        try:
            while True: KEPT.append(source())
        except OSError: pass
    if len(KEPT) > 16: raise RuntimeError("LEAK %d descriptors" % len(KEPT))
    return observation["legal_moves"][0]
