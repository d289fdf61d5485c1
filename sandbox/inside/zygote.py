"""The zygote: a warm interpreter behind the wall that forks one cell for each bot.

It is exec'd, never forked from a worker, whose heap holds settings and passwords. It imports the kit, moves into its
own namespaces and an almost empty root, and then takes orders until its judge closes the control channel. It is
process 1 of its process namespace: when it ends, the kernel takes every bot along.
"""

import gc
import os
import resource
import select
import signal
import socket
import sys
from pathlib import Path
from typing import Final, NoReturn

import msgspec

from . import cell, landlock, linux, root, runner, seccomp, wire

_CAP: Final = 1 << 16
_NO_ROOM: Final = 97  # exit status of a cell that could not be built

_read_boot: Final = msgspec.msgpack.Decoder(wire.Boot).decode
_read_spawn: Final = msgspec.msgpack.Decoder(wire.Spawn).decode


def main(control_fd: int) -> NoReturn:
    """Build the world, saying which layer failed if one does, and serve until the judge is gone."""
    control = socket.socket(fileno=control_fd)
    layer = "process"
    try:
        _settle()
        layer = "user namespace"
        linux.unshare(linux.NEWUSER)
        _say(control, wire.Unmapped())
        layer = "id map"
        boot = _read_boot(control.recv(_CAP))
        layer = "library"
        baseline = _import_kit(boot)
        layer = "mount namespace and root"
        root.build(boot.readable, switch_user=boot.switch_user)
        layer = "process namespace"
        linux.unshare(linux.NEWPID)
        layer = "network, ipc, uts and cgroup namespaces"
        linux.unshare(linux.NEWNET | linux.NEWIPC | linux.NEWUTS | linux.NEWCGROUP)
        layer = "privileges"
        linux.drop_bounding_set()  # once for all cells, which keep what they inherit; it takes dozens of calls
        layer = "landlock"
        version = landlock.abi()
        layer = "seccomp"
        program = seccomp.program()
    except (OSError, ImportError, KeyError, msgspec.MsgspecError) as error:
        _say(control, wire.Refused(layer, f"{type(error).__name__}: {error}"))
        os._exit(1)
    _become_first_process(control)
    gc.collect()
    gc.freeze()  # a collection in a bot must not touch, and so copy, the pages that all share
    gc.disable()
    _say(control, wire.Ready(version))
    _take_orders(control, cell.World(boot.readable, version, program, baseline, boot.switch_user))


def _settle() -> None:
    """Undo what the worker handed down, and be the first to go when the judge dies or memory is short."""
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.umask(0o022)  # bots with ids of their own must be able to read what is made for them
    Path("/proc/self/oom_score_adj").write_text("1000")


def _import_kit(boot: wire.Boot) -> int:
    """Import all that bots find warm; the bytes of address space that are mapped then."""
    sys.path += boot.path
    for name in boot.preload:
        __import__(name)
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def _become_first_process(control: socket.socket) -> None:
    """Go on as process 1 of the new process namespace; the process that was only waits for it."""
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)  # the change of id has cleared it
    if (inner := os.fork()) != 0:
        control.close()
        os.waitpid(inner, 0)
        os._exit(0)
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    linux.prctl(linux.PR_SET_DUMPABLE, 0)


def _take_orders(control: socket.socket, world: cell.World) -> NoReturn:
    own = os.pidfd_open(os.getpid())
    boxes: dict[int, tuple[int, int]] = {}  # by pidfd: box, process
    poll = select.poll()
    poll.register(control, select.POLLIN)
    while True:
        for fd, _ in poll.poll():
            if fd != control.fileno():
                poll.unregister(fd)
                _say(control, _reap(fd, *boxes.pop(fd)))
                continue
            data, fds, _, _ = socket.recv_fds(control, _CAP, 1)
            if not data:
                os._exit(0)  # the judge is gone
            order = _read_spawn(data)
            try:
                pid = _spawn(world, order, fds[0], own)
            except OSError as error:
                _say(control, wire.Unspawned(order.box, str(error)))
            else:
                pidfd = os.pidfd_open(pid)
                boxes[pidfd] = order.box, pid
                poll.register(pidfd, select.POLLIN)
                socket.send_fds(control, [msgspec.msgpack.encode(wire.Spawned(order.box))], [pidfd])
            os.close(fds[0])


def _spawn(world: cell.World, order: wire.Spawn, channel: int, own: int) -> int:
    """Fork a cell as process 1 of a fresh process namespace; its pid here.

    unshare sends the next child to the new namespace; setns to our own turns that off again, so that no process is
    needed in between.
    """
    linux.unshare(linux.NEWPID)
    try:
        pid = os.fork()
    except OSError:
        linux.setns(own, linux.NEWPID)
        raise
    if pid:
        linux.setns(own, linux.NEWPID)
        return pid
    try:
        setup = cell.enter(world, order, channel)
    except BaseException as error:
        try:
            os.write(runner.CHANNEL, wire.BROKEN + f"{type(error).__name__}: {error}".encode()[:1000])
        finally:
            os._exit(_NO_ROOM)
    try:
        runner.run(setup)
    finally:
        os._exit(1)


def _reap(pidfd: int, box: int, pid: int) -> wire.Exited:
    os.close(pidfd)
    _, status, usage = os.wait4(pid, 0)
    return wire.Exited(box, status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def _say(control: socket.socket, message: wire.ZygoteMessage) -> None:
    control.send(msgspec.msgpack.encode(message))
