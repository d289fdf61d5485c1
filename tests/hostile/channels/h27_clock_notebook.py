# h27: keeps a note for its next game in the time of day. It waits for an instant that spells the note, in game_over or
# in its last action, and the next game's bot reads the clock when it is made. view["job"] is [where, note, slot].
import time

BORN = time.time()
LEVELS = 64
job = None


def wait():
    _, note, slot = job
    cycle = slot * LEVELS
    end = time.time() + (note * slot - time.time() % cycle) % cycle
    while time.time() < end:
        pass


class Bot:
    def __init__(self, table):
        pass

    def act(self, view):
        global job
        job = view["job"]
        print(BORN)
        if job[0] == "act":
            wait()
        return view["actions"][0]

    def game_over(self, result):
        if job[0] == "game_over":
            wait()
