"""One bot's cell: apply every layer of the wall in the required order. A failure here is never the bot's fault."""

import os
import resource
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NoReturn

import msgspec

from . import landlock, linux, root, runner, seccomp, tree, wire
from .runner import CHANNEL

# This is created once, in the zygote, because creating it takes a millisecond.
_read_setup = msgspec.msgpack.Decoder(wire.BoxSetup).decode
_NO_CELL: Final = 97  # exit status of a process that could not be walled off
_RLIMITS: dict[int, int] = {
    resource.RLIMIT_CORE: 0,
    resource.RLIMIT_FSIZE: 0,
    resource.RLIMIT_MEMLOCK: 0,
    resource.RLIMIT_MSGQUEUE: 0,
    resource.RLIMIT_NOFILE: 16,
    resource.RLIMIT_NPROC: 1,
    resource.RLIMIT_SIGPENDING: 8,
    resource.RLIMIT_STACK: 8 << 20,
}


@dataclass(frozen=True, slots=True)
class World:
    """The settings that all cells of a zygote or launcher share."""

    readable: list[str]
    landlock: int  # ABI version
    filter: bytes  # the seccomp program
    baseline: int  # bytes mapped before a bot does anything
    switch_user: bool


def live(enter: Callable[[], wire.BoxSetup]) -> NoReturn:
    """Enter the cell and run its bot until the end. A failure before the bot's code starts is reported as a platform
    fault.
    """
    try:
        setup = enter()
    except BaseException as error:
        try:
            os.write(CHANNEL, wire.BROKEN + f"{type(error).__name__}: {error}".encode()[:1000])
        finally:
            os._exit(_NO_CELL)
    try:
        runner.run(setup)
    finally:
        os._exit(1)


def enter(world: World, order: wire.Spawn, channel: int, printed: int, group: int | None = None) -> wire.BoxSetup:
    """Wall off this freshly forked process and unpack the bot's files in /bot. Only ``CHANNEL`` and the standard
    streams stay open.

    ``printed`` is this process's end of the output pipe, ``group`` the file by which it joins its control group.

    Raises:
        OSError: a layer failed.
    """
    _keep_only(channel, printed, group)
    linux.unshare(linux.NEWNET | linux.NEWIPC | linux.NEWUTS | linux.NEWNS | linux.NEWCGROUP)
    root.mount_bot_folder()
    setup = _unpack()
    root.seal_bot_folder()
    _lock(world, order)
    return setup


def enter_walled(
    world: World, order: wire.Spawn, channel: int, printed: int, group: int | None = None
) -> wire.BoxSetup:
    """Do what ``enter`` does, for a process that already has its namespaces and an empty /bot.

    Raises:
        OSError: a layer failed.
    """
    _keep_only(channel, printed, group)
    setup = _unpack()
    if world.switch_user:
        linux.drop_bounding_set()
    _lock(world, order)
    return setup


def _keep_only(channel: int, printed: int, group: int | None) -> None:
    if group is not None:
        os.write(group, b"0")  # joins the group, which counts all memory of this process from here on
    for stream in (1, 2):
        os.dup2(printed, stream)
    os.dup2(channel, CHANNEL, inheritable=False)
    linux.close_from(CHANNEL + 1)


def _lock(world: World, order: wire.Spawn) -> None:
    """Apply all limits that a process can put on itself, then report that the cell is locked."""
    os.chdir(tree.BOT_FOLDER)
    limit_resources(memory=world.baseline + order.memory, seconds=order.seconds)
    drop_privileges(order.user if world.switch_user else None)
    landlock.confine(world.landlock, [*world.readable, tree.BOT_FOLDER])
    seccomp.install(world.filter)
    os.write(CHANNEL, wire.LOCKED)


def _unpack() -> wire.BoxSetup:
    """Receive the set-up and write the bot's files. The judge has checked their names."""
    message = os.read(CHANNEL, wire.OBSERVATION_CAP)
    setup = _read_setup(memoryview(message)[1:])
    for file in setup.files:
        if "/" in file.name:
            Path(tree.BOT_FOLDER, file.name).parent.mkdir(parents=True, exist_ok=True)
        target = os.open(f"{tree.BOT_FOLDER}/{file.name}", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        left = file.size
        while left:
            data = os.read(CHANNEL, wire.CHUNK)
            if not data:
                raise EOFError("the judge is gone")
            left -= os.write(target, data)
        os.close(target)
    return setup


def limit_resources(*, memory: int, seconds: int) -> None:
    """Set the kernel's limits: address space in bytes, CPU seconds, and minimal values for everything else."""
    for kind, most in {**_RLIMITS, resource.RLIMIT_AS: memory, resource.RLIMIT_CPU: seconds}.items():
        resource.setrlimit(kind, (most, most))


def drop_privileges(user: int | None) -> None:
    """Drop every capability, change to user id ``user`` unless it is None, and end when the zygote ends.

    No capability can come back, because the zygote has emptied the bounding set.
    """
    if user is not None:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    linux.drop_capabilities()
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    linux.prctl(linux.PR_SET_DUMPABLE, 0)
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)  # a change of id clears it
