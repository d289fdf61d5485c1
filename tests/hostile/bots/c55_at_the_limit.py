# HOSTILE case 55: sits just below the limit of an action in every turn.
# EXPECTED VERDICT: "cpu_time" (the game's bank, or one turn of bad luck).
import time


def act(observation):
    end = time.process_time() + 0.35
    while time.process_time() < end: pass
    return observation["legal_moves"][0]
