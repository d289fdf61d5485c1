# HOSTILE x14: plays well and never comes back from being told the result.
# EXPECTED VERDICT: "plays on": the game is over, the worker goes on in time.
class Bot:
    def __init__(self, table): pass
    def act(self, observation): return observation["legal_moves"][0]
    def game_over(self, result):
        import time
        while True: time.sleep(1e6)
