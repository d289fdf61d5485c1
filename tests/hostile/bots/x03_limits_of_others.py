# HOSTILE x03: reads and sets limits by prlimit64: its own, the zygote's, every process's.
# EXPECTED VERDICT: "plays on" - it may read its own; "LEAK" = a limit was set, or another's was read.
import ctypes
import os
import resource


def act(observation):
    libc = ctypes.CDLL(None, use_errno=True)
    done = []
    for pid in [0, 1, *range(2, 300)]:
        for what in range(16):
            new, old = (ctypes.c_ulong * 2)(1 << 40, 1 << 40), (ctypes.c_ulong * 2)()
            if libc.prlimit(pid, what, new, old) == 0: done.append(("set", pid, what))
            if pid > 1 and libc.prlimit(pid, what, None, old) == 0: done.append(("read", pid, what))
    if resource.getrlimit(resource.RLIMIT_NOFILE)[1] > 16 or done: raise RuntimeError("LEAK %r" % done[:5])
    return observation["legal_moves"][0]
