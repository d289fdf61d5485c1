# HOSTILE case 07: inflates a bomb of ten gigabytes inside the box.
# EXPECTED VERDICT: "memory" or "cpu_time".
import zlib

SQUEEZE = zlib.compressobj(9)
BOMB = b"".join(SQUEEZE.compress(bytes(1 << 20)) for _ in range(20)) + SQUEEZE.flush()
def act(observation):
    kept = []
    for _ in range(500): kept.append(zlib.decompress(BOMB))
    return observation["legal_moves"][0]
