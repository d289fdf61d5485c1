# HOSTILE case 54: an honest bot for as long as it is checked; turns on the fourth turn.
# EXPECTED VERDICT: "forbidden_call" - the cage is the same in every turn of every game.
import ctypes


def act(observation):
    if observation["turn"] > 3: ctypes.CDLL(None).unshare(0x10000000); raise RuntimeError("LEAK still here")
    return observation["legal_moves"][0]
