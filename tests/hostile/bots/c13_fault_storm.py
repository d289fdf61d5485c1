# HOSTILE case 13: allocates up to its cap, touches every page and frees it all again, in every turn.
# EXPECTED VERDICT: "plays on" or "cpu_time": page faults are its own time.
import mmap


def act(observation):
    for _ in range(20):
        block = mmap.mmap(-1, 256 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        for page in range(0, 256 << 20, 4096): block[page] = 1
        block.close()
    return observation["legal_moves"][0]
