# HOSTILE x26: a futex in a shared mapping is known by its place in the file: bots of other matches, who see the same
# library, could wait there and count who wakes them. Another way to meet is to have equal pages of memory merged.
# EXPECTED VERDICT: "plays on" - a futex is private or fails, and no page is offered for merging.
import ctypes
import errno
import mmap
import os
import platform

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
FUTEX = 98 if platform.machine() == "aarch64" else 202
WAIT, WAKE, PRIVATE, MERGEABLE = 0, 1, 128, 12
class Now(ctypes.Structure):
    _fields_ = [("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long)]
def futex(place, operation, value):
    got = libc.syscall(ctypes.c_long(FUTEX), ctypes.c_void_p(place), ctypes.c_int(operation), ctypes.c_uint32(value), ctypes.byref(Now(0, 1000)), None, 0)
    return got, ctypes.get_errno()
def act(observation):
    fd = os.open(os.__file__, os.O_RDONLY)
    place = libc.mmap(None, 4096, mmap.PROT_READ, mmap.MAP_SHARED, fd, 0)
    os.close(fd)
    word = ctypes.c_uint32.from_address(place).value
    met = [what for what in (WAIT, WAKE) if futex(place, what, word) != (-1, errno.EPERM)]
    own = ctypes.c_uint32(7)
    mine = futex(ctypes.addressof(own), WAIT | PRIVATE, 7)
    if mine[1] != errno.ETIMEDOUT: raise RuntimeError("a bot's own futex does not work: %r" % (mine,))
    page = libc.mmap(None, 4096, mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)
    if libc.madvise(page, 4096, MERGEABLE) == 0: met.append("merged")
    libc.munmap(ctypes.c_void_p(page), 4096); libc.munmap(ctypes.c_void_p(place), 4096)
    if met: raise RuntimeError("LEAK %r" % met)
    return observation["legal_moves"][0]
