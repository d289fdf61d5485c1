# HOSTILE x07: changes the runner's own variables: the tag in its buffer, the kind of its message.
# EXPECTED VERDICT: "protocol".
import sys


def act(observation):
    frame = sys._getframe(1)
    frame.f_locals["buffer"][1:9] = b"\xff" * 8
    return observation["legal_moves"][0]
