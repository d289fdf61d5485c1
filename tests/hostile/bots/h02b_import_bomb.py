# HOSTILE 02b needs all its memory at import.
# EXPECTED VERDICT: "memory" (or "cpu_time" of the start on a slow machine).
x = bytearray(3 << 30)
def act(observation): return observation["legal_moves"][0]
