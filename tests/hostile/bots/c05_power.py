# HOSTILE case 05: one expression that computes for years: 10 ** 10 ** 8, in C, deaf to Python's signals.
# EXPECTED VERDICT: "cpu_time" (or "memory": the number itself is 40 MB).
def act(observation): return str(10 ** 10 ** 8)
