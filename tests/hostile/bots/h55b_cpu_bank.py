# HOSTILE 55b computes in every turn, each time below the limit of a turn.
# EXPECTED VERDICT: "cpu_time" (the game's bank).
import time


def act(observation):
    end = time.process_time() + 0.12
    while time.process_time() < end: pass
    return observation["legal_moves"][0]
