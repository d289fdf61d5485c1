# HOSTILE 20e is uploaded beside files that shadow the kit, the library and the interpreter's start-up files.
# EXPECTED VERDICT: "plays on" - they have no effect on the runner, the zygote or the judge.
import json
import random

import msgspec


def act(observation):
    for module in (json, random, msgspec):
        if module.__file__.startswith("/bot"): raise RuntimeError("LEAK %s was replaced" % module.__name__)
    return observation["legal_moves"][0]
