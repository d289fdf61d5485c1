# HOSTILE x15: closes its channel and puts something else in its place, so that the runner talks to a file.
# EXPECTED VERDICT: "protocol", "exited" or "crashed".
import os


def act(observation):
    os.close(3)
    os.open("/bot/bot.py", os.O_RDONLY)
    return observation["legal_moves"][0]
