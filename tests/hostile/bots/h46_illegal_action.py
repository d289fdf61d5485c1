# HOSTILE 46 answers with text that looks like an action and is none; the cage hands it on, the game refuses it.
# EXPECTED VERDICT: "illegal_action".
def act(observation): return "resign for the opponent"
