"""Serve the judge's orders: start and reap boxes one by one until the control channel closes.

The zygote and the launcher share this loop. They differ in how they start a box.
"""

import os
import resource
import select
import signal
import socket
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NoReturn

import msgspec

from . import linux, wire

CAP: Final = 1 << 16  # bytes of a message

_read_spawn: Final = msgspec.msgpack.Decoder(wire.Spawn).decode

# A function that starts a box. Its arguments are the order, and the descriptors of the box's channel, its output pipe
# and, if there is one, its control group. It returns the child's pid, and raises OSError if no child was started.
Start = Callable[[wire.Spawn, Sequence[int]], int]


def control_loop_settle() -> None:
    """Reset what the worker passed on, and make this process end with the judge and be killed first when memory is
    short.
    """
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.umask(0o022)  # bots with other user ids must be able to read the files
    Path("/proc/self/oom_score_adj").write_text("1000")


def control_loop_say(control: socket.socket, message: wire.ZygoteMessage) -> None:
    control.send(msgspec.msgpack.encode(message))


def control_loop_serve(control: socket.socket, start: Start) -> NoReturn:
    """Serve until the judge closes the channel; then end, and with this process all boxes."""
    boxes: dict[int, tuple[int, int]] = {}  # pidfd to (box, pid)
    poll = select.poll()
    poll.register(control, select.POLLIN)
    while True:
        for fd, _ in poll.poll():
            if fd != control.fileno():
                poll.unregister(fd)
                control_loop_say(control, _reap(fd, *boxes.pop(fd)))
                continue
            data, fds, _, _ = socket.recv_fds(control, CAP, 3)
            if not data:
                os._exit(0)
            order = _read_spawn(data)
            try:
                pid = start(order, fds)
            except OSError as error:
                control_loop_say(control, wire.Unspawned(order.box, str(error)))
            else:
                pidfd = os.pidfd_open(pid)
                boxes[pidfd] = order.box, pid
                poll.register(pidfd, select.POLLIN)
                socket.send_fds(control, [msgspec.msgpack.encode(wire.Spawned(order.box))], [pidfd])
            for fd in fds:
                os.close(fd)


def _reap(pidfd: int, box: int, pid: int) -> wire.Exited:
    os.close(pidfd)
    _, status, usage = os.wait4(pid, 0)
    return wire.Exited(box, status, usage.ru_utime + usage.ru_stime)
