"""A box behind bwrap: an interpreter that bwrap starts behind its walls, and that then locks itself."""

import os
import signal
import socket
from collections.abc import Sequence
from typing import Final, NoReturn

import msgspec

from . import address_space, cell, control_loop, landlock, linux, runner, seccomp, wire, zygote

_read_boot: Final = msgspec.msgpack.Decoder(wire.Boot).decode
_read_walled: Final = msgspec.msgpack.Decoder(wire.Walled).decode


def main(launcher_fd: int) -> NoReturn:
    """Import the kit, report this process to the launcher, and become the bot that the launcher orders."""
    launcher = socket.socket(fileno=launcher_fd)
    boot = _read_boot(launcher.recv(control_loop.CAP))
    zygote.zygote_import_kit(boot)
    runner.furnish()
    window = address_space.reserve()
    os.dup2(0, 2)  # an earlier error went to the old stderr, which the launcher has read
    socket.send_fds(launcher, [b"up"], [os.pidfd_open(os.getpid())])
    message, passed, _, _ = socket.recv_fds(launcher, control_loop.CAP, 3)
    if not message:
        os._exit(1)
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)  # the launcher is the parent by now
    walled = _read_walled(message)
    cell.live(lambda: _enter(boot, walled, window, passed))


def _enter(boot: wire.Boot, walled: wire.Walled, window: range, passed: Sequence[int]) -> wire.BoxSetup:
    program = seccomp.program(window=window)
    world = cell.World(boot.readable, landlock.abi(), program, walled.baseline, boot.switch_user)
    return cell.enter_walled(world, walled.order, *passed)
