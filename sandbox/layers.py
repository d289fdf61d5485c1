"""What isolation this machine really gives, layer by layer, and how to get what is missing."""

import socket
import subprocess
import sys
from dataclasses import dataclass
from typing import Final

import msgspec

from . import interpreter
from .faults import Denied, Layer
from .groups import Group
from .inside import linux, syscalls
from .inside.trials import Tried

_PATIENCE: Final = 60.0  # seconds; the trials take some tens of milliseconds
_USERNS: Final = (
    "allow unprivileged user namespaces: sysctl user.max_user_namespaces above 0; on Debian kernels "
    "kernel.unprivileged_userns_clone=1; on Ubuntu an AppArmor profile with 'userns,' for the worker's Python, or "
    "kernel.apparmor_restrict_unprivileged_userns=0; in Docker --security-opt seccomp=unconfined --security-opt "
    "apparmor=unconfined"
)
_DELEGATE: Final = "as a service of systemd: Delegate=memory pids and DelegateSubgroup=worker"
_UPDATE: Final = "run a Linux kernel of 5.13 or later"
_FIXES: Final = {
    "platform": "run workers on Linux on x86_64 or aarch64; the web server may be anything",
    "library": "let the worker's user, and others, read Python's library: chmod -R o+rX on the folders named",
    "user namespace": _USERNS,
    "id map": _USERNS + "; started by root: let it keep CAP_SETUID and CAP_SETGID",
    "mount namespace and root": _USERNS + "; let others read Python's library (chmod -R o+rX)",
    "process namespace": _USERNS,
    "network, ipc, uts and cgroup namespaces": _USERNS,
    "privileges": _USERNS,
    "landlock": (
        f"{_UPDATE} with Landlock: CONFIG_SECURITY_LANDLOCK=y and 'landlock' among the boot parameter lsm=...; in "
        "Docker a seccomp profile that lets the landlock calls through"
    ),
    "seccomp": f"{_UPDATE} with CONFIG_SECCOMP_FILTER=y",
    "freezing and clock": f"{_UPDATE}; in Docker a seccomp profile that lets the pidfd calls through",
}


@dataclass(frozen=True, slots=True)
class Report:
    """Every layer the cage needs, in the order they are put on; ``ok`` when none is missing.

    ``extra`` are layers that it puts on where they can be had and does without where not.
    """

    layers: tuple[Layer, ...]
    extra: tuple[Layer, ...] = ()

    @property
    def ok(self) -> bool:
        return all(layer.ok for layer in self.layers)


def probe() -> Report:
    """Try each layer in a throw-away process."""
    if sys.platform != "linux" or linux.MACHINE not in syscalls.ARCHITECTURES:
        return Report((missing_layer("platform", f"{sys.platform} on {linux.MACHINE}"),))
    platform = Layer("platform", True, f"{sys.platform} on {linux.MACHINE}")
    try:
        found = interpreter.find()
        tried = _try_all(found)
    except Denied as denied:
        return Report((platform, *denied.layers))
    except (OSError, EOFError, msgspec.MsgspecError) as error:
        return Report((platform, missing_layer("library", f"the trials could not be run: {error}")))
    library = Layer("library", True, ", ".join(found.library))
    layers = [
        Layer(each.layer, True, each.detail) if each.ok else missing_layer(each.layer, each.detail) for each in tried
    ]
    return Report((platform, library, *layers), (_control_groups(),))


def missing_layer(name: str, detail: str) -> Layer:
    """The layer as missing, with what to do about it."""
    return Layer(name, False, detail, _FIXES.get(name, "please report this with the output of python -m sandbox.probe"))


def _control_groups() -> Layer:
    group = Group.make()
    if group is None:
        return Layer("control groups", False, "none that this user may make with memory and pids", _DELEGATE)
    group.close()
    return Layer("control groups", True, f"version {group.version}: memory and pids of all boxes together")


def _try_all(found: interpreter.Interpreter) -> list[Tried]:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours:
        with theirs:
            trials = subprocess.Popen(  # noqa: S603 - the command is our own
                found.command("trials", theirs.fileno()),
                env=found.environment(),
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
                start_new_session=True,
            )
        try:
            ours.settimeout(_PATIENCE)
            ours.send(msgspec.msgpack.encode(found.boot(switch_user=False)))
            answer = ours.recv(1 << 16)
        finally:
            trials.kill()
            trials.wait()
    if not answer:
        raise EOFError("they died")
    return msgspec.msgpack.decode(answer, type=list[Tried])
