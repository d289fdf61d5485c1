# HOSTILE x13: prints for ever, to use the judge's time and memory for its words.
# EXPECTED VERDICT: "cpu_time".
def act(observation):
    while True: print("A" * 10 ** 6)
