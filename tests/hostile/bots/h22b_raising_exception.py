# HOSTILE 22b raises an exception that raises again, and ends the process, whenever somebody looks at it.
# EXPECTED VERDICT: "crashed" (or "exited": only about itself).
class Evil(BaseException):
    def __str__(self): raise SystemExit(0)
    __repr__ = __str__
    @property
    def __traceback__(self): raise SystemExit(0)
    @property
    def __cause__(self): raise SystemExit(0)
def act(observation): raise Evil()
