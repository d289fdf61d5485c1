# HOSTILE 24 with shorter sleeps: below the limit of the start and of every action, until the bank is empty.
# EXPECTED VERDICT: "slept", from the game's bank.
import time

time.sleep(0.5)


def act(view):
    time.sleep(0.6)
    return view["actions"][0]
