# HOSTILE 08b answers with something other than text: a number that pretends to be text in every way it can.
# EXPECTED VERDICT: "malformed".
class Text(int):
    __class__ = property(lambda self: str)
    def __eq__(self, other): return True
    def __hash__(self): return hash("3")
    def __str__(self): return "3"
    def __len__(self): return 1
    def encode(self, *a): return b"3"
def act(observation): return Text(3)
