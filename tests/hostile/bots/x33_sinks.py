# HOSTILE x33: spends memory on page tables at places that the kernel chooses: maps a large piece, keeps a page in its
# middle, unmaps the rest, so that the next piece fits only below; then by mremap, and by taking the reserve apart.
# EXPECTED VERDICT: "plays on": the kernel has no more than a window of address space to choose from.
import ctypes
import time

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = libc.mremap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
libc.mremap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_int, ctypes.c_void_p]
PIECE, PAGE, GIB, FAILED = 400 << 20, 4096, 1 << 30, 2**64 - 1
kept, opened = set(), 0
def act(view):
    global opened
    end = time.process_time() + .15
    while time.process_time() < end:
        at = libc.mmap(None, PIECE, 1, 0x22, -1, 0)
        if at in (None, FAILED): break
        middle = at + PIECE // 2
        ctypes.c_char.from_address(middle).value
        libc.munmap(at, PIECE // 2)
        libc.munmap(middle + PAGE, PIECE // 2 - PAGE)
        kept.add(middle >> 21)
    page = libc.mmap(None, PAGE, 3, 0x22, -1, 0)
    for n in range(8, 125 << 10, 499):
        for size in (PAGE, GIB, 1 << 46):
            opened += libc.munmap(n * GIB, size) == 0
            opened += libc.mprotect(n * GIB, size, 3) == 0
        opened += libc.mremap(page, PAGE, PAGE, 3, n * GIB) not in (None, FAILED)
    if len(kept) > 200 or opened > 100: raise RuntimeError("LEAK %d tables, %d opened" % (len(kept), opened))
    return view["actions"][0]
