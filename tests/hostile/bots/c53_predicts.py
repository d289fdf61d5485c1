# HOSTILE case 53: predicts the dice and the opponent: shared generator state, hash seeds, addresses, the clock.
# EXPECTED VERDICT: "plays on"; "LEAK" = its own streams are those of its sibling. What the sibling draws comes with the view.
import random

import numpy

OWN = [random.random() for _ in range(50)] + [numpy.random.random() for _ in range(50)]
for SHIFT in range(-50, 50):
    random.seed(id(random) + SHIFT); OWN.append(random.random())
    random.seed(hash("seed") + SHIFT); OWN.append(random.random())
def act(observation):
    if {round(x, 12) for x in OWN} & {round(x, 12) for x in observation["draws"]}: raise RuntimeError("LEAK the sibling's stream")
    return observation["legal_moves"][0]
