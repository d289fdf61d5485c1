# HOSTILE x22: raises what programs of the judge's kind raise themselves: KeyboardInterrupt, in an exception group, as its own cause.
# EXPECTED VERDICT: "crashed".
def act(observation):
    raise BaseExceptionGroup("many", [KeyboardInterrupt(), GeneratorExit(), BaseExceptionGroup("more", [SystemExit(0)] * 500)])
