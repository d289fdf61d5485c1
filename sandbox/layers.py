"""Probe which isolation layers this machine provides, and say how to get those that are missing."""

import sys
from dataclasses import dataclass
from typing import Final

import msgspec

from games.protocol import BotFault, Limits, PlatformFault

from .box import Box
from .faults import Layer, SandboxUnavailable
from .groups import CageGroups
from .inside import linux, syscalls
from .inside.probes import Tried
from .interpreter import Interpreter, interpreter_find, interpreter_run_module
from .library import Library
from .zygote_client import Backend, LayerError, Zygote

_TRIAL: Final = {"bot.py": b"import numpy\ndef act(view):\n    return view['actions'][0]\n"}
_USERNS: Final = (
    "allow unprivileged user namespaces: sysctl user.max_user_namespaces above 0; on Debian kernels "
    "kernel.unprivileged_userns_clone=1; on Ubuntu an AppArmor profile with 'userns,' for the worker's Python, or "
    "kernel.apparmor_restrict_unprivileged_userns=0; in a container the rights of "
    "docs/how-to/deploy.md"
)
_DELEGATE: Final = "as a service of systemd: Delegate=memory pids and DelegateSubgroup=worker"
_UPDATE: Final = "run a Linux kernel of 5.13 or later"
_FIXES: Final = {
    "platform": "run workers on Linux on x86_64 or aarch64; the web server may be anything",
    "library": "let the worker's user read Python's library: chmod -R o+rX on the folders named",
    "library copy": (
        "give workers a tmpfs with 256 MiB free in which files may be executed: a larger /dev/shm, or mount -t tmpfs "
        "-o size=256m,mode=1777,nosuid,nodev tmpfs /run/pecking-order; in Docker --tmpfs "
        "/run/pecking-order:exec,mode=1777,size=256m"
    ),
    "user namespace": _USERNS,
    "id map": _USERNS + "; started by root: let it keep CAP_SETUID and CAP_SETGID",
    "mount namespace and root": _USERNS,
    "process namespace": _USERNS,
    "network, ipc, uts and cgroup namespaces": _USERNS,
    "privileges": _USERNS,
    "landlock": (
        f"{_UPDATE} with Landlock: CONFIG_SECURITY_LANDLOCK=y and 'landlock' among the boot parameter lsm=...; in "
        "Docker a seccomp profile that lets the landlock calls through"
    ),
    "address space": "start workers without a limit of address space (ulimit -v, LimitAS=)",
    "seccomp": f"{_UPDATE} with CONFIG_SECCOMP_FILTER=y",
    "bwrap": "install bubblewrap, in a version that the system lets make namespaces",
    "freezing and clock": f"{_UPDATE}; in Docker a seccomp profile that lets the pidfd calls through",
}


# The layers that bwrap builds in place of a worker.
_WALLS: Final = frozenset(
    (
        *("user namespace", "id map", "mount namespace and root", "process namespace"),
        *("network, ipc, uts and cgroup namespaces", "privileges"),
    )
)


@dataclass(frozen=True, slots=True)
class LayerReport:
    """Every layer that the cage needs, in the order in which it applies them.

    ``extra`` are optional layers. ``walled`` says that bwrap was tried and builds the missing layers.
    """

    layers: tuple[Layer, ...]
    extra: tuple[Layer, ...] = ()
    walled: bool = False

    @property
    def backend(self) -> Backend | None:
        """The best backend that works here; None where bots are refused."""
        if all(layer.ok for layer in self.layers):
            return Backend.OWN
        return Backend.BWRAP if self.walled else None

    @property
    def ok(self) -> bool:
        return self.backend is not None

    @property
    def missing(self) -> list[Layer]:
        """The layers to fix first if bots are refused. All other missing layers depend on these."""
        return [] if self.ok else [layer for layer in self.layers if not layer.ok and not layer.behind]


def layers_probe() -> LayerReport:
    """Try each layer in a throw-away process. If namespaces are missing, try whether bwrap can create them."""
    if sys.platform != "linux" or linux.MACHINE not in syscalls.ARCHITECTURES:
        return LayerReport((layers_missing("platform", f"{sys.platform} on {linux.MACHINE}"),))
    platform = Layer("platform", True, f"{sys.platform} on {linux.MACHINE}")
    try:
        found = interpreter_find()
        library = layers_hold_library(found)
    except SandboxUnavailable as denied:
        return LayerReport((platform, *denied.layers))
    try:
        root = "" if library is None else library.root
        tried = msgspec.msgpack.decode(interpreter_run_module(found, "probes", root=root), type=list[Tried])
        layers = [_layer(each) for each in tried]
        missing = {layer.name for layer in layers if not layer.ok}
        copy = _copy(library, mounted="mount namespace and root" not in missing)
        if walled := bool(missing) and missing <= _WALLS and copy.ok:
            layers.append(_bwrap(found, library))
            walled = layers[-1].ok
    except (OSError, EOFError, msgspec.MsgspecError) as error:
        return LayerReport((platform, layers_missing("library", f"the probes could not be run: {error}")))
    finally:
        if library is not None:
            library.close()
    shown = Layer("library", True, ", ".join(found.library))
    return LayerReport((platform, shown, copy, *layers), (_control_groups(),), walled)


def layers_hold_library(found: Interpreter) -> Library | None:
    """Return the machine's shared copy of the library; None if each zygote has to make its own.

    Raises:
        SandboxUnavailable: the library cannot be read.
    """
    try:
        return Library.hold(found)
    except (OSError, EOFError, msgspec.MsgspecError) as error:
        raise SandboxUnavailable([layers_missing("library", f"it cannot be copied: {error}")]) from error


def _copy(library: Library | None, *, mounted: bool) -> Layer:
    """Return the layer that says which copy of the library boxes see: the machine's shared copy, or the
    zygote's own.
    """
    name = "library copy"
    if library is not None:
        return Layer(name, True, f"{library.size >> 20} MiB of memory in {library.place}, once for all workers here")
    if mounted:
        return Layer(name, True, "in memory, once for each worker: no tmpfs that they could share has room")
    return layers_missing(name, "no tmpfs has room for it, and none can be mounted")


def _layer(tried: Tried) -> Layer:
    if tried.lacking:
        return Layer(tried.layer, False, f"not to be had without the {tried.lacking}", behind=True)
    return Layer(tried.layer, True, tried.detail) if tried.ok else layers_missing(tried.layer, tried.detail)


def layers_missing(name: str, detail: str) -> Layer:
    """Return the layer as missing, with a sentence on how to fix it."""
    return Layer(name, False, detail, _FIXES.get(name, "please report this with the output of python -m sandbox.probe"))


def layers_try_out(zygote: Zygote, group: CageGroups | None = None) -> None:
    """Play one action in a box, with a control group if there is one.

    Raises:
        SandboxUnavailable: the action failed.
    """
    try:
        box = Box(zygote, 0, Limits(), group)
        box.start(_TRIAL, {}, 0)
        box.act({"actions": ["pass"]})
        box.close()
    except (BotFault, PlatformFault) as error:
        detail = error.detail if isinstance(error, BotFault) else str(error)
        raise SandboxUnavailable([layers_missing("box", detail)]) from error


def _bwrap(found: Interpreter, library: Library | None) -> Layer:
    try:
        zygote = Zygote.launch(found, Backend.BWRAP, library)
        try:
            layers_try_out(zygote)
        finally:
            zygote.close()
    except LayerError as error:
        return layers_missing("bwrap", str(error))
    except SandboxUnavailable as denied:
        return layers_missing("bwrap", denied.layers[0].detail)
    except PlatformFault as error:
        return layers_missing("bwrap", str(error))
    return Layer("bwrap", True, "an interpreter for each bot behind its walls: slower to start, as safe")


def _control_groups() -> Layer:
    group = CageGroups.make()
    if group is None:
        return Layer("control groups", False, "none that this user may make with memory and pids", _DELEGATE)
    group.close()
    return Layer("control groups", True, f"version {group.version}: an account of memory for each box")
