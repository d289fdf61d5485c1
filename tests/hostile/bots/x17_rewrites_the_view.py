# HOSTILE x17: changes everything in the view it was given, down to the deepest list, and looks whether it comes back.
# EXPECTED VERDICT: "plays on": a view is a copy.
def act(observation):
    if "mine" in observation or "resign" in observation["legal_moves"]: raise RuntimeError("LEAK the view was kept")
    move = observation["legal_moves"][0]
    for value in observation.values():
        if isinstance(value, list): value[:] = ["resign"] * 3
    observation["mine"] = observation
    observation["you"] = 1
    return move
