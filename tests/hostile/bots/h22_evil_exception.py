# HOSTILE 22 raises an exception whose text never ends, is full of terminal escapes and HTML, and whose type lies.
# EXPECTED VERDICT: "crashed", with a short and harmless text.
class Meta(type):
    __name__ = property(lambda self: "x" * 10 ** 6)
class Evil(Exception, metaclass=Meta):
    def __str__(self): return "\x1b[2J\x1b]0;owned\x07<script>alert(1)</script>" + "A" * 10 ** 7
def act(observation): raise Evil()
