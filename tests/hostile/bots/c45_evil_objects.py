# HOSTILE case 45: answers with text whose class runs code for whoever looks at it: encoders, comparers, picklers.
# EXPECTED VERDICT: "plays on": the judge gets the plain text that is inside.
class Text(str):
    def __reduce__(self): raise SystemExit("LEAK reduced")
    __reduce_ex__ = lambda self, *a: self.__reduce__()
    def encode(self, *a): raise SystemExit("LEAK encoded")
    def __eq__(self, other): return True
    def __hash__(self): return 0
    def __len__(self): return 1
    def __index__(self): return 10 ** 9
    def __str__(self): return "resign for the opponent"
    def __getattribute__(self, name): return object.__getattribute__(self, name)
def act(observation): return Text("3")
