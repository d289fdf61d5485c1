# HOSTILE 19 answers with ten megabytes of text.
# EXPECTED VERDICT: "oversize".
def act(observation): return "3" * 10_000_000
