# HOSTILE x23: grows through mremap, brk and the stack instead of malloc, past what it may map.
# EXPECTED VERDICT: "plays on" or "memory"; "LEAK" = more than the cap was to be had.
import ctypes


def act(observation):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = libc.mremap.restype = libc.sbrk.restype = ctypes.c_void_p
    failed = ctypes.c_void_p(-1).value
    size, place = 1 << 20, libc.mmap(None, ctypes.c_size_t(1 << 20), 3, 0x22, -1, ctypes.c_long(0))
    while size < 4 << 30:
        bigger = libc.mremap(ctypes.c_void_p(place), ctypes.c_size_t(size), ctypes.c_size_t(size * 2), 1)
        if bigger == failed: break
        place, size = bigger, size * 2
    grown = 0
    while grown < 4 << 30 and libc.sbrk(ctypes.c_long(16 << 20)) != failed: grown += 16 << 20
    stack = 0
    while stack < 4 << 30 and libc.mmap(None, ctypes.c_size_t(16 << 20), 3, 0x01020022, -1, ctypes.c_long(0)) != failed: stack += 16 << 20
    if size + grown + stack > 700 << 20: raise RuntimeError("LEAK %d MiB" % (size + grown + stack >> 20))
    return observation["legal_moves"][0]
