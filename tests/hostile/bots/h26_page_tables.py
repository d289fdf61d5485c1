# HOSTILE h26: spends memory on page tables: one page in each GiB of address space, at places that it names.
# EXPECTED VERDICT: "plays on": the places are refused.
import ctypes
import time

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
GIB = 1 << 30
at, got = 1 << 33, 0
def act(view):
    global at, got
    end = time.process_time() + .2
    while time.process_time() < end and at < 1 << 47:
        for flags in (0x22, 0x22 | 0x100000, 0x22 | 0x10):  # a hint, fixed if free, fixed
            place = libc.mmap(ctypes.c_void_p(at), 4096, 1, flags, -1, 0)
            if place == at:
                ctypes.c_char.from_address(place).value  # read only: the zero page, resident nowhere
                got += 1
        at += GIB
    if got > 64: raise RuntimeError("LEAK %d tables" % got)
    return view["actions"][0]
