# HOSTILE case 12: leaves cyclic garbage with slow finalisers behind, hoping that it is collected on the opponent's time.
# EXPECTED VERDICT: "plays on" or "cpu_time": all of it is charged to the bot.
import gc
import time


class Slow:
    def __init__(self): self.me = self
    def __del__(self):
        end = time.process_time() + 0.002
        while time.process_time() < end: pass
def act(observation):
    gc.set_threshold(20, 2, 2)
    for _ in range(30): Slow()
    return observation["legal_moves"][0]
