# HOSTILE 24 sleeps up to every limit on the clock and uses no processor time, to hold a worker for hours.
# EXPECTED VERDICT: "slept", at the start.
import time

time.sleep(9.4)


class Bot:
    def __init__(self, table):
        self.left = 118.0

    def act(self, view):
        seconds = min(11.5, self.left)
        if seconds > 0:
            time.sleep(seconds)
            self.left -= seconds + 0.05
        return view["actions"][0]
