# HOSTILE 11 looks for any way to talk to somebody: sockets of every family, DNS, SysV and POSIX queues, locks, inotify.
# EXPECTED VERDICT: "plays on" - nothing of it exists in the box.
import ctypes
import fcntl
import os
import socket


def act(observation):
    open_doors = []
    for family in range(0, 46):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
            try: socket.socket(family, kind); open_doors.append((family, int(kind)))
            except OSError: pass
    try: socket.socketpair(); open_doors.append("socketpair")
    except OSError: pass
    try: open_doors.append(socket.getaddrinfo("localhost", 80))
    except OSError: pass
    libc = ctypes.CDLL(None, use_errno=True)
    buf = ctypes.create_string_buffer(4096)
    for name, args in {"shmget": (1, 4096, 0o1666), "msgget": (1, 0o1666), "semget": (1, 1, 0o1666), "mq_open": (b"/x", 0o102, 0o600, None),
                       "inotify_init": (), "eventfd": (0, 0), "signalfd": (-1, buf, 0), "epoll_create": (1,), "timerfd_create": (0, 0), "fanotify_init": (0, 0)}.items():
        try: f = getattr(libc, name)
        except AttributeError: continue
        if f(*args) >= 0: open_doors.append(name)
    try:
        fd = os.open(os.__file__, os.O_RDONLY)
        for lock in (lambda: fcntl.flock(fd, fcntl.LOCK_EX), lambda: fcntl.lockf(fd, fcntl.LOCK_SH), lambda: fcntl.fcntl(fd, 1024, fcntl.F_WRLCK)):
            try: lock(); open_doors.append("lock")
            except OSError: pass
        os.close(fd)
    except OSError: pass
    if open_doors: raise RuntimeError("LEAK %r" % open_doors[:8])
    return observation["legal_moves"][0]
