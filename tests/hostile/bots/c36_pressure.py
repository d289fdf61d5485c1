# HOSTILE case 36: takes all the memory it may have and keeps it, so that the opponent or the judge is killed instead.
# EXPECTED VERDICT: "plays on" or "memory".
KEPT = []
def act(observation):
    try:
        while True: KEPT.append(b"\1" * (4 << 20))
    except MemoryError: del KEPT[-4:]
    return observation["legal_moves"][0]
