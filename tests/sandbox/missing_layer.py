"""A machine that lacks a layer: ``python -m tests.sandbox.missing_layer WHAT ... [blind] [bwrap]`` takes it away from
this process, for good, and then opens a cage. Prints what was denied and exits 3; prints the way in and exits 0 if a
cage opened all the same.

With ``blind`` the probe reports no trouble, so that the zygote itself has to find it. Without ``bwrap`` there is none.
"""

import errno
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Final
from unittest import mock

from sandbox import Cage, LayerReport, SandboxUnavailable, bubblewrap, library
from sandbox.inside import linux, seccomp

_PRCTL: Final = {"x86_64": 157, "aarch64": 167}[linux.MACHINE]
_MOUNT: Final = {"x86_64": 165, "aarch64": 40}[linux.MACHINE]
_UNSHARE: Final = {"x86_64": 272, "aarch64": 97}[linux.MACHINE]
_LOAD, _EQUAL, _RETURN = 0x20, 0x15, 0x06


def _without_user_namespaces() -> None:
    user, group = os.geteuid(), os.getegid()
    linux.unshare(linux.NEWUSER)
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"0 {user} 1")
    Path("/proc/self/gid_map").write_text(f"0 {group} 1")
    Path("/proc/sys/user/max_user_namespaces").write_text("0")


def _without_call(number: int, error: int, first_argument: int | None = None) -> None:
    body = [(_RETURN, 0, 0, seccomp.fails(error))]
    if first_argument is not None:
        body = [(_LOAD, 0, 0, 16), (_EQUAL, 0, 1, first_argument), *body]
    code = [(_LOAD, 0, 0, 0), (_EQUAL, 0, len(body), number), *body, (_RETURN, 0, 0, seccomp.ALLOW)]
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    seccomp.install(seccomp.assemble(code))


LACKING: Final[Mapping[str, Callable[[], None]]] = {
    "user namespace": _without_user_namespaces,
    "namespaces of one's own": lambda: _without_call(_UNSHARE, errno.EPERM),  # as AppArmor's profile for bwrap alone
    "landlock": lambda: _without_call(444, errno.EOPNOTSUPP),
    "seccomp": lambda: _without_call(_PRCTL, errno.EINVAL, linux.PR_SET_SECCOMP),
    "mount namespace and root": lambda: _without_call(_MOUNT, errno.EACCES),
    "freezing and clock": lambda: _without_call(424, errno.ENOSYS),  # pidfd_send_signal
    "room for the library": lambda: setattr(library, "_places", lambda: iter(())),
    "bwrap": lambda: setattr(bubblewrap, "bubblewrap_find", lambda: None),
    "nothing": lambda: None,
}


def take_away(*what: str) -> None:
    """Take these away from this process, for good."""
    for each in what:
        LACKING[each]()


def main(*words: str) -> int:
    take_away(*(word for word in words if word not in ("blind", "bwrap")), *(["bwrap"] if "bwrap" not in words else []))
    with mock.patch("sandbox.cage.layers_probe", return_value=LayerReport(())) if "blind" in words else nullcontext():
        try:
            with Cage.open() as cage:
                print(cage.backend)
        except SandboxUnavailable as denied:
            print(denied)
            return 3
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
