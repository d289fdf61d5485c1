# HOSTILE case 31: leases, locks of every kind and watches on files that all bots share, as a channel between bots.
# EXPECTED VERDICT: "plays on" - "LEAK" = one was to be had.
import ctypes
import fcntl
import os
import struct


def act(observation):
    got = []
    libc = ctypes.CDLL(None, use_errno=True)
    fd = os.open(os.__file__, os.O_RDONLY)
    lock = struct.pack("hhqqi", fcntl.F_RDLCK, 0, 0, 0, 0)
    for name, ask in {"flock": lambda: fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB), "setlk": lambda: fcntl.fcntl(fd, fcntl.F_SETLK, lock), "ofd": lambda: fcntl.fcntl(fd, 37, lock), "lease": lambda: fcntl.fcntl(fd, 1024, fcntl.F_RDLCK),
                      "notify": lambda: fcntl.fcntl(fd, 1026, 1), "owner": lambda: fcntl.fcntl(fd, 8, os.getpid()), "seals": lambda: fcntl.fcntl(fd, 1033, 1), "pipe size": lambda: fcntl.fcntl(3, 1031, 1 << 20),
                      "atime": lambda: os.utime(os.__file__), "xattr": lambda: os.setxattr(os.__file__, "user.x", b"1")}.items():
        try: ask(); got.append(name)
        except OSError: pass
    for name in ("inotify_init", "fanotify_init", "epoll_create"):
        if getattr(libc, name)(1) >= 0: got.append(name)
    os.close(fd)
    if got: raise RuntimeError("LEAK %r" % got)
    return observation["legal_moves"][0]
