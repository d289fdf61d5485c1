"""The zygote: a warm interpreter behind the wall that forks one cell for each bot.

It is started by exec. It is never forked from a worker, because a worker's memory contains settings and passwords. It
imports the kit, moves into its own namespaces and an almost empty root, and then serves orders until its judge closes
the control channel. It is process 1 of its PID namespace: when it ends, the kernel kills every bot.
"""

import gc
import os
import resource
import signal
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NoReturn

import msgspec

from . import address_space, cell, control_loop, landlock, linux, root, runner, seccomp, wire
from .control_loop import control_loop_say, control_loop_serve, control_loop_settle

_read_boot: Final = msgspec.msgpack.Decoder(wire.Boot).decode


def main(control_fd: int) -> NoReturn:
    """Build the cage's layers and serve until the judge closes the channel. If a layer fails, report which."""
    control = socket.socket(fileno=control_fd)
    layer = "process"
    try:
        control_loop_settle()
        layer = "user namespace"
        linux.unshare(linux.NEWUSER)
        control_loop_say(control, wire.Settled())
        layer = "id map"
        boot = _read_boot(control.recv(control_loop.CAP))
        layer = "mount namespace and root"
        stage = root.prepare(boot.root, boot.readable, switch_user=boot.switch_user)
        layer = "library"
        zygote_import_kit(boot)
        _keep_warm(boot.readable)
        layer = "address space"
        window = address_space.reserve()
        baseline = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        layer = "mount namespace and root"
        root.enter(stage, switch_user=boot.switch_user)
        layer = "process namespace"
        linux.unshare(linux.NEWPID)
        layer = "network, ipc, uts and cgroup namespaces"
        linux.unshare(linux.NEWNET | linux.NEWIPC | linux.NEWUTS | linux.NEWCGROUP)
        socket.sethostname(root.HOST_NAME)  # the cells inherit this name
        layer = "privileges"
        linux.drop_bounding_set()  # done once for all cells, which inherit it, because it takes dozens of calls
        layer = "landlock"
        version = landlock.abi()
        layer = "seccomp"
        program = seccomp.program(window=window)
    except (OSError, ImportError, KeyError, msgspec.MsgspecError) as error:
        control_loop_say(control, wire.WireRefused(layer, f"{type(error).__name__}: {error}"))
        os._exit(1)
    _become_first_process(control)
    runner.furnish()
    gc.collect()
    gc.freeze()  # a garbage collection in a bot must not touch, and thereby copy, the shared pages
    gc.disable()
    world = cell.World(boot.readable, version, program, baseline, boot.switch_user)
    own = os.pidfd_open(os.getpid())
    control_loop_say(control, wire.Ready())
    control_loop_serve(control, lambda order, passed: _fork(world, order, passed, own))


def zygote_import_kit(boot: wire.Boot) -> None:
    """Import the modules that all bots inherit.

    Raises:
        ImportError: a module is missing.
    """
    sys.path += boot.path
    for name in boot.preload:
        __import__(name)


def _keep_warm(readable: Sequence[str]) -> None:
    """Read all of the machine's files that are mapped, so that bots can neither see nor change which pages are in
    memory.
    """
    for path in (sys.executable, *linux.loaded()):
        if not any(path.startswith(f"{folder}/") for folder in readable):
            Path(path).read_bytes()


def _become_first_process(control: socket.socket) -> None:
    """Continue as process 1 of the new PID namespace. The original process only waits for it."""
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)  # the change of id has cleared it
    if (inner := os.fork()) != 0:
        control.close()
        os.waitpid(inner, 0)
        os._exit(0)
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    linux.prctl(linux.PR_SET_DUMPABLE, 0)


def _fork(world: cell.World, order: wire.Spawn, passed: Sequence[int], own: int) -> int:
    """Fork a cell as process 1 of a new PID namespace; return its pid in our own namespace.

    unshare puts the next child into a new namespace. setns to our own namespace undoes this, so that no intermediate
    process is needed.
    """
    linux.unshare(linux.NEWPID)
    try:
        pid = linux.fork()
    except OSError:
        linux.setns(own, linux.NEWPID)
        raise
    if pid == 0:
        cell.live(lambda: cell.enter(world, order, *passed))
    linux.setns(own, linux.NEWPID)
    return pid
