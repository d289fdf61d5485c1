# HOSTILE 55 sleeps in every turn, each time below the limit of a turn, to make the game last for ever.
# EXPECTED VERDICT: "slept" (the game's bank).
import time


def act(observation):
    time.sleep(0.3)
    return observation["legal_moves"][0]
