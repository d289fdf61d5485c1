"""Try each layer of the cage in a throw-away child, because a sysctl may promise what the machine does not do.

The trials run in a separate interpreter: the worker that asks for them may have threads, and a process with threads
cannot be forked safely.
"""

import os
import select
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import msgspec

from . import cell, ids, landlock, linux, root, seccomp, wire
from .ids import ids_choose

_PATIENCE = 10_000  # milliseconds for one trial
_BOT_USER = 1

Trial = Callable[[], str]  # returns what was found; raises an error if the layer is missing


class Tried(msgspec.Struct, array_like=True, frozen=True):
    """The result for one layer. ``lacking`` names the layer without which it could not be tried."""

    layer: str
    ok: bool
    detail: str
    lacking: str | None = None


def main(control_fd: int) -> NoReturn:
    """Receive the boot message, try every layer, send the list of results."""
    control = socket.socket(fileno=control_fd)
    os.umask(0o022)
    boot = msgspec.msgpack.decode(control.recv(1 << 16), type=wire.Boot)
    id_map = ids_choose()
    if id_map.handed_out and not _attempt("id map", lambda: _ids(id_map), id_map).ok:
        id_map = ids.only_own()
    tried = [_attempt("user namespace", lambda: _namespace(linux.NEWUSER))]
    others = linux.NEWNET | linux.NEWIPC | linux.NEWUTS | linux.NEWCGROUP
    within: dict[str, Trial] = {
        "id map": lambda: _ids(id_map),
        "mount namespace and root": lambda: _root(boot, id_map),
        "process namespace": _process_namespace,
        "network, ipc, uts and cgroup namespaces": lambda: _namespace(others),
        "privileges": lambda: _privileges(id_map),
    }
    for layer, trial in within.items():
        lacking = next((each.layer for each in tried[:2] if not each.ok), None)
        tried.append(Tried(layer, False, "", lacking) if lacking else _attempt(layer, trial, id_map))
    tried += _attempt("landlock", _landlock), _attempt("seccomp", _seccomp), _attempt("freezing and clock", _freezing)
    control.send(msgspec.msgpack.encode(tried))
    os._exit(0)


def _attempt(layer: str, trial: Trial, id_map: ids.IdMap | None = None) -> Tried:
    """Run the trial in a child, in a mapped user namespace if ``id_map`` is given."""
    from_child, to_parent = os.pipe()
    from_parent, to_child = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            if id_map is not None:
                linux.unshare(linux.NEWUSER)
                os.write(to_parent, b"M")
                os.read(from_parent, 1)
            word = "+" + trial()
        except BaseException as error:
            word = f"-{error or type(error).__name__}"
        os.write(to_parent, word.encode()[:500])
        os._exit(0)
    os.close(to_parent)
    os.close(from_parent)
    word = _hear(from_child)
    if word == "M" and id_map is not None:
        try:
            id_map.write(pid)
            os.write(to_child, b"G")
            word = _hear(from_child)
        except OSError as error:
            word = f"-id map: {error}"
    os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    os.close(from_child)
    os.close(to_child)
    return Tried(layer, word.startswith("+"), word[1:] or ("" if word else f"the trial died (status {status})"))


def _hear(pipe: int) -> str:
    poll = select.poll()
    poll.register(pipe, select.POLLIN)
    return os.read(pipe, 512).decode("utf-8", "replace") if poll.poll(_PATIENCE) else "-no answer"


def _namespace(flags: int) -> str:
    linux.unshare(flags)
    return ""


def _ids(id_map: ids.IdMap) -> str:
    if os.getuid() != 0 and not id_map.switch_user:
        raise RuntimeError(f"mapped to id {os.getuid()} instead of 0")
    if not id_map.switch_user:
        return "one kernel id for all bots: the worker's own"
    os.setgroups([])
    os.setresgid(_BOT_USER, _BOT_USER, _BOT_USER)
    os.setresuid(_BOT_USER, _BOT_USER, _BOT_USER)
    return "a kernel id for each bot"


def _root(boot: wire.Boot, id_map: ids.IdMap) -> str:
    root.enter(root.prepare(boot.root, boot.readable, switch_user=id_map.switch_user), switch_user=id_map.switch_user)
    if Path("/proc").exists() or Path("/etc").exists():
        raise RuntimeError("the old root is still there")
    try:
        Path("/new").mkdir()
    except OSError:
        pass
    else:
        raise RuntimeError("the new root can be written")
    root.mount_bot_folder()
    return ""


def _process_namespace() -> str:
    linux.unshare(linux.NEWPID)
    if (pid := os.fork()) == 0:
        try:
            os._exit(_nested_process_namespace())
        finally:
            os._exit(3)
    match os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]):
        case 0:
            return ""
        case 1:
            raise RuntimeError("the first process of a new namespace is not number 1")
        case 2:
            raise RuntimeError("there is no way back out of a namespace of one's own")
        case _:
            raise RuntimeError("no namespace within the namespace")


def _nested_process_namespace() -> int:
    own = os.pidfd_open(os.getpid())
    linux.unshare(linux.NEWPID)
    if os.getpid() != 1 or _pid_of_child() != 1:
        return 1
    linux.setns(own, linux.NEWPID)
    return 2 if _pid_of_child() == 1 else 0


def _pid_of_child() -> int:
    """Return the process id that a new child sees as its own."""
    if (pid := os.fork()) == 0:
        os._exit(os.getpid())
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def _privileges(id_map: ids.IdMap) -> str:
    linux.drop_bounding_set()
    cell.drop_privileges(_BOT_USER if id_map.switch_user else None)
    cell.limit_resources(memory=1 << 40, seconds=60)
    try:
        linux.unshare(linux.NEWUTS)
    except PermissionError:
        return ""
    raise RuntimeError("capabilities are still there")


def _landlock() -> str:
    version = landlock.abi()
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    landlock.confine(version, [])
    try:
        next(Path("/").iterdir())
    except PermissionError:
        return f"ABI {version}"
    raise RuntimeError("not enforced")


def _seccomp() -> str:
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    seccomp.install(seccomp.program())
    try:
        pid = os.fork()
    except OSError:
        return linux.MACHINE
    if pid == 0:
        os._exit(0)
    raise RuntimeError("not enforced")


def _freezing() -> str:
    if (pid := os.fork()) == 0:
        time.sleep(60)
        os._exit(0)
    pidfd = os.pidfd_open(pid)
    try:
        signal.pidfd_send_signal(pidfd, signal.SIGSTOP)
        os.waitid(os.P_PID, pid, os.WSTOPPED)
        time.clock_gettime((~pid << 3) | 2)
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    return ""
