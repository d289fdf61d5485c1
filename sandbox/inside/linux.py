"""Linux system calls that Python 3.11 does not offer, through ctypes. Each raises ``OSError`` naming the call."""

import ctypes
import os
import platform
import struct
from ctypes import c_char_p, c_int, c_long, c_size_t, c_ulong, c_void_p
from typing import Final

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = c_long
_libc.mmap.restype = c_void_p
_libc.mmap.argtypes = (c_void_p, c_size_t, c_int, c_int, c_int, c_long)
_libc.munmap.argtypes = (c_void_p, c_size_t)
_python = ctypes.PyDLL(None, use_errno=True)  # does not release the GIL during a call

NEWNS: Final = 0x0002_0000
NEWCGROUP: Final = 0x0200_0000
NEWUTS: Final = 0x0400_0000
NEWIPC: Final = 0x0800_0000
NEWUSER: Final = 0x1000_0000
NEWPID: Final = 0x2000_0000
NEWNET: Final = 0x4000_0000

MS_RDONLY: Final = 1
MS_NOSUID: Final = 2
MS_NODEV: Final = 4
MS_NOEXEC: Final = 8
MS_REMOUNT: Final = 32
MS_BIND: Final = 4096
MS_REC: Final = 16384
MS_PRIVATE: Final = 1 << 18
MNT_DETACH: Final = 2

PR_SET_PDEATHSIG: Final = 1
PR_SET_DUMPABLE: Final = 4
PR_SET_SECCOMP: Final = 22
PR_CAPBSET_READ: Final = 23
PR_CAPBSET_DROP: Final = 24
PR_SET_SECUREBITS: Final = 28
PR_SET_CHILD_SUBREAPER: Final = 36
PR_SET_NO_NEW_PRIVS: Final = 38
PR_CAP_AMBIENT: Final = 47
PR_CAP_AMBIENT_CLEAR_ALL: Final = 4

# NOROOT, NO_SETUID_FIXUP and their locks, KEEP_CAPS locked off, NO_CAP_AMBIENT_RAISE and its lock.
SECUREBITS: Final = 0x01 | 0x02 | 0x04 | 0x08 | 0x20 | 0x40 | 0x80

CAPABILITY_V3: Final = 0x2008_0522
MACHINE: Final = platform.machine()

# The same numbers on every architecture, for calls from 424 up.
_NUMBERS: Final[dict[str, int]] = {
    "mount_setattr": 442,
    "landlock_create_ruleset": 444,
    "landlock_add_rule": 445,
    "landlock_restrict_self": 446,
    "close_range": 436,
    **({"pivot_root": 41, "capset": 91} if MACHINE == "aarch64" else {"pivot_root": 155, "capset": 126}),
}


def _checked(result: int, what: str) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")
    return result


def call(name: str, *args: object) -> int:
    """Make the raw system call ``name``. Integers are passed as longs, other arguments as ctypes passes them."""
    longs = [c_long(arg) if isinstance(arg, int) else arg for arg in args]
    return _checked(_libc.syscall(c_long(_NUMBERS[name]), *longs), name)


def fork() -> int:
    """Call fork(2) directly, for a single-threaded process.

    ``os.fork`` would also run the hooks that libraries register, which takes a sixth of a bot's start. None of them is
    needed: they make new locks for threads that do not exist, and set a random seed that is set again later.
    """
    return _checked(_python.fork(), "fork")


def map_nothing(start: int, size: int) -> int:
    """Map ``size`` bytes without access rights, exactly at ``start`` unless it is 0; return the address."""
    private_anonymous, no_reserve, fixed_no_replace = 0x22, 0x4000, 0x10_0000
    flags = private_anonymous | no_reserve | (fixed_no_replace if start else 0)
    place: int | None = _libc.mmap(start, size, 0, flags, -1, 0)
    if place is None or place == c_void_p(-1).value:
        _checked(-1, "mmap")
    return place or 0


def unmap(start: int, size: int) -> None:
    _checked(_libc.munmap(start, size), "munmap")


def unshare(flags: int) -> None:
    _checked(_libc.unshare(flags), f"unshare({flags:#x})")


def setns(fd: int, kind: int) -> None:
    _checked(_libc.setns(fd, kind), f"setns({kind:#x})")


def prctl(option: int, a: int = 0, b: int = 0) -> int:
    return _checked(_libc.prctl(option, c_ulong(a), c_ulong(b), c_ulong(0), c_ulong(0)), f"prctl({option})")


def prctl_pointer(option: int, a: int, pointer: object) -> None:
    _checked(_libc.prctl(option, c_ulong(a), pointer, c_ulong(0), c_ulong(0)), f"prctl({option})")


class _Loaded(ctypes.Structure):
    _fields_ = [("address", ctypes.c_void_p), ("name", ctypes.c_char_p)]  # how struct dl_phdr_info begins


_Visit = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Loaded), ctypes.c_size_t, ctypes.c_void_p)


def loaded() -> list[str]:
    """Return the paths of all shared libraries of this process, including the loader."""
    found: list[str] = []

    def visit(each: "ctypes._Pointer[_Loaded]", _size: int, _data: int | None) -> int:
        if (name := os.fsdecode(each.contents.name or b"")).startswith("/"):  # the kernel's vDSO has no path
            found.append(name)
        return 0

    _libc.dl_iterate_phdr(_Visit(visit), None)
    return found


def is_tmpfs(path: str) -> bool:
    """Tell whether the path lies in a tmpfs."""
    status = (c_ulong * 32)()  # struct statfs begins with the type
    _checked(_libc.statfs(_bytes(path), status), f"statfs {path}")
    return status[0] == 0x0102_1994


def mount(source: str | None, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    result = _libc.mount(_bytes(source), _bytes(target), _bytes(kind), c_ulong(flags), _bytes(data))
    _checked(result, f"mount {kind or 'bind'} on {target}")


def unmount(target: str) -> None:
    _checked(_libc.umount2(_bytes(target), MNT_DETACH), f"umount {target}")


def pivot_root(new: str, old: str) -> None:
    call("pivot_root", c_char_p(_bytes(new)), c_char_p(_bytes(old)))


def seal_mount(target: str) -> None:
    """Make the mount at ``target`` and all mounts below it read-only, nosuid and nodev."""
    attributes = ctypes.create_string_buffer(struct.pack("=QQQQ", MS_RDONLY | MS_NOSUID | MS_NODEV, 0, 0, 0), 32)
    at_fdcwd, at_recursive = -100, 0x8000
    call("mount_setattr", at_fdcwd, c_char_p(_bytes(target)), at_recursive, attributes, 32)


def close_from(first: int) -> None:
    """Close every descriptor from ``first`` up."""
    call("close_range", first, 0xFFFF_FFFF, 0)


def drop_bounding_set() -> None:
    """Lock the secure bits, and empty the bounding and ambient sets. Needs CAP_SETPCAP, so call it before the uid
    switch.
    """
    prctl(PR_SET_SECUREBITS, SECUREBITS)
    for capability in range(64):
        if _libc.prctl(PR_CAPBSET_READ, c_ulong(capability), c_ulong(0), c_ulong(0), c_ulong(0)) < 0:
            break  # the kernel has no more capabilities
        prctl(PR_CAPBSET_DROP, capability)
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)


def drop_capabilities() -> None:
    """Empty the permitted, effective and inheritable sets."""
    header = ctypes.create_string_buffer(struct.pack("=Ii", CAPABILITY_V3, 0), 8)
    call("capset", header, ctypes.create_string_buffer(24))


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else os.fsencode(text)
