# HOSTILE case 34: thrashes the caches in its turn, as a signal to a friend. What a friend can feel of it is a documented
# residual; what the cage owes is that it costs nobody the game.
# EXPECTED VERDICT: "plays on".
BLOCK = bytearray(32 << 20)
def act(observation):
    bit = observation["turn"] % 2
    for start in range(0, len(BLOCK), 4096 if bit else 1 << 20): BLOCK[start] ^= 1
    return observation["legal_moves"][0]
