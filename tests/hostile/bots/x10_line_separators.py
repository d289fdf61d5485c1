# HOSTILE x10: prints every character that some program takes for the end of a line or for a command.
# EXPECTED VERDICT: "plays on", with the output defused.
def act(observation):
    print("a\x0bb\x0cc\x1cd\x1de\x1ef\x85g\u2028h\u2029i\u061cj\u200fk\ufeffl\rm\0n\x7fo\u2067p")
    print("\x1b]0;owned\x07\x9b31m" + "\udcff\ud800" + "\U000e0041\U000e007f")
    return observation["legal_moves"][0]
