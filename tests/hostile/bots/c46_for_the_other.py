# HOSTILE case 46: a legal action, said for the opponent.
# EXPECTED VERDICT: "illegal_action".
def act(observation): return "seat 1: " + observation["legal_moves"][0]
