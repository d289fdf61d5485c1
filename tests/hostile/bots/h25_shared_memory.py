# HOSTILE h25: holds memory that no account of the process sees: maps shared memory of no file, writes it and unmaps all
# but one page, again and again; by every flag, by Python's own module, by memfd, System V and huge pages.
# EXPECTED VERDICT: "plays on": all are refused.
import ctypes
import mmap
import time

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
PIECE = 1 << 20
held = 0
def act(view):
    global held
    for flags in (0x21, 0x23, 0x40022, 0x40021, 0x21 | 0x8000):
        end = time.process_time() + .05
        while time.process_time() < end:
            at = libc.mmap(None, PIECE, 3, flags, -1, 0)
            if at in (None, 2**64 - 1):
                break
            ctypes.memset(at, 1, PIECE)
            libc.munmap(at + 4096, PIECE - 4096)
            held += 1
    try: held += bool(mmap.mmap(-1, PIECE))
    except (OSError, ValueError): pass
    held += libc.memfd_create(b"a", 0) >= 0
    held += libc.shmget(0, PIECE, 0o1600) >= 0
    if held: raise RuntimeError("LEAK %d MiB held" % held)
    return view["actions"][0]
