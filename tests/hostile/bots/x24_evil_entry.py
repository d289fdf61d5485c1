# HOSTILE x24: entry points that are found by code of the bot's, which never ends.
# EXPECTED VERDICT: "cpu_time".
def __getattr__(name):
    while True: pass
class Meta(type):
    def __call__(cls, *a):
        while True: pass
class Bot(metaclass=Meta): pass
