# HOSTILE x08: an exception whose text computes for ever, after the bot's turn has failed already.
# EXPECTED VERDICT: "cpu_time".
class Evil(Exception):
    def __str__(self):
        while True: pass
    __repr__ = __str__
def act(observation): raise Evil()
