# HOSTILE x19: an exception whose every attribute, its class and its traceback among them, raises another of the kind.
# EXPECTED VERDICT: "crashed".
class Evil(Exception):
    def __getattribute__(self, name): raise Evil()
    def __str__(self): raise Evil()
    __repr__ = __str__
    @property
    def __class__(self): raise Evil()
def act(observation): raise Evil()
