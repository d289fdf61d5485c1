"""The system call filter as classic BPF: an allowlist, and death for calls that only exploits make.

Each call is looked up in three tables (``syscalls``). A call that no table contains fails with EPERM.
"""

import ctypes
import errno
import os
import struct
from collections.abc import Iterable, Sequence
from typing import Final

from . import address_space, linux, syscalls

_LOAD: Final = 0x20
_JUMP_EQUAL: Final = 0x15
_JUMP_AT_LEAST: Final = 0x35
_JUMP_ANY_BIT: Final = 0x45
_RETURN: Final = 0x06

KILL: Final = 0x8000_0000
ALLOW: Final = 0x7FFF_0000
_ERROR: Final = 0x0005_0000
_MODE_FILTER: Final = 2

_NUMBER: Final = 0  # offsets in struct seccomp_data
_ARCHITECTURE: Final = 4
_X32: Final = 0x4000_0000

_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | 0o20000000  # the last is __O_TMPFILE
_F_GETFD, _F_SETFD, _F_GETFL, _F_DUPFD_CLOEXEC = 1, 2, 3, 1030
_FUTEX_PRIVATE: Final = 128
_FUTEX_CLOCK: Final = 256
# Wait and wake, with or without a bit mask. The locks of a single thread need no other operation.
_FUTEX: Final = tuple(_FUTEX_PRIVATE | clock | operation for clock in (0, _FUTEX_CLOCK) for operation in (0, 1, 9, 10))
# Hints about the process's own memory that are allowed: normal, random, sequential, will not need, free, huge pages or
# none. Other hints merge pages with those of other boxes, drop shared pages or fetch them. The time that a write takes
# in one box would then tell what another box does.
_MADVICE: Final = (0, 1, 2, 4, 8, 14, 15)
_MAP_SHARED: Final = 0x01
_MAP_ANONYMOUS: Final = 0x20
_MAP_HUGE: Final = 0x4_0000
_MAY_MOVE: Final = 1
_ALL: Final = range(1 << 16)  # the upper halves of all addresses

Instruction = tuple[int, int, int, int]  # code, jump if true, jump if false, operand


def fails(code: int) -> int:
    """Return the filter action that makes a call fail with this errno."""
    return _ERROR | code


def _returns(answer: int) -> Instruction:
    return (_RETURN, 0, 0, answer)


def _low(argument: int) -> Instruction:
    return (_LOAD, 0, 0, 16 + 8 * argument)


def _high(argument: int) -> Instruction:
    return (_LOAD, 0, 0, 20 + 8 * argument)


def _only(argument: int, values: Sequence[int], error: int) -> list[Instruction]:
    """Allow the call if the argument has one of these values; otherwise it fails with this errno."""
    count = len(values)
    found = [(_JUMP_EQUAL, count - at, 0, value) for at, value in enumerate(values)]
    return [_low(argument), *found, _returns(fails(error)), _returns(ALLOW)]


def _without(part: Instruction, bits: int, error: int) -> list[Instruction]:
    """Go on if this half of an argument has none of the bits; otherwise the call fails with this errno."""
    return [part, (_JUMP_ANY_BIT, 0, 1, bits), _returns(fails(error))]


def _below(part: Instruction, bound: int, error: int) -> list[Instruction]:
    """Go on if this half of an argument is below the bound; otherwise the call fails with this errno."""
    return [part, (_JUMP_AT_LEAST, 0, 1, bound), _returns(fails(error))]


def _inside(window: range, *lengths: int) -> list[Instruction]:
    """Go on if the call's address lies within the window and its lengths are short. Otherwise the call fails with
    ENOMEM. ``lengths`` are the numbers of the arguments that have the lengths.
    """
    return [
        *(_high(0), (_JUMP_AT_LEAST, 1, 0, window.start), _returns(fails(errno.ENOMEM))),
        *_below(_high(0), window.stop, errno.ENOMEM),
        *(step for length in lengths for step in _below(_high(length), address_space.LONGEST, errno.ENOMEM)),
    ]


def _about_memory(window: range) -> dict[str, list[Instruction]]:
    """Return the rules for the calls that map memory.

    No limit counts anonymous shared memory that is unmapped, huge pages from the machine's reserve, or page tables
    outside the window (``address_space``). So the rules forbid all three.
    """
    anywhere = [_high(0), (_JUMP_EQUAL, 0, 3, 0), _low(0), (_JUMP_EQUAL, 0, 1, 0), _returns(ALLOW)]
    not_shared = [_low(3), (_JUMP_ANY_BIT, 0, 3, _MAP_SHARED), *_without(_low(3), _MAP_ANONYMOUS, errno.EPERM)]
    return {
        "mmap": [
            *_without(_low(3), _MAP_HUGE, errno.EPERM),
            *not_shared,
            *(anywhere + _inside(window, 1)),
            _returns(ALLOW),
        ],
        "munmap": [*_inside(window, 1), _returns(ALLOW)],
        "mprotect": [*_inside(window, 1), _returns(ALLOW)],
        "mremap": [*_inside(window, 1, 2), *_without(_low(3), ~_MAY_MOVE & 0xFFFF_FFFF, errno.EPERM), _returns(ALLOW)],
    }


# Rules for the other conditional calls. Each returns on every path.
_RULES: Final[dict[str, list[Instruction]]] = {
    "openat": [_low(2), (_JUMP_ANY_BIT, 0, 1, _WRITING), _returns(fails(errno.EROFS)), _returns(ALLOW)],
    "ioctl": [_returns(fails(errno.ENOTTY))],  # Python takes this error for "not a terminal"
    "fcntl": _only(1, (_F_GETFD, _F_SETFD, _F_GETFL, _F_DUPFD_CLOEXEC), errno.EPERM),
    # Shared futexes are refused. A shared futex is identified by its place in a file, such as a library's, so boxes
    # could communicate with it.
    "futex": _only(1, _FUTEX, errno.EPERM),
    "madvise": _only(2, _MADVICE, errno.EINVAL),
    "prlimit64": [  # only to read limits: the pointer to a new limit must be null
        _low(2),
        (_JUMP_EQUAL, 0, 3, 0),
        _high(2),
        (_JUMP_EQUAL, 0, 1, 0),
        _returns(ALLOW),
        _returns(fails(errno.EPERM)),
    ],
    # Fails with the error of a full process table, which Python reports as "can't start new thread"
    "clone": [_returns(fails(errno.EAGAIN))],
    "clone3": [_returns(fails(errno.ENOSYS))],  # glibc then falls back to clone
}


def program(architecture: str = linux.MACHINE, window: range = _ALL) -> bytes:
    """Return the filter for ``architecture``, as an array of struct sock_filter. ``window`` comes from
    ``address_space.reserve``.

    Raises:
        KeyError: there is no table for that architecture.
    """
    code: list[Instruction] = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_JUMP_EQUAL, 1, 0, syscalls.AUDIT[architecture]),
        _returns(KILL),
        (_LOAD, 0, 0, _NUMBER),
    ]
    if architecture == "x86_64":
        code += [(_JUMP_AT_LEAST, 0, 1, _X32), _returns(KILL)]
    verdicts: dict[str, list[Instruction]] = {name: [_returns(ALLOW)] for name in syscalls.ALLOWED}
    verdicts |= _RULES | _about_memory(window)
    verdicts |= {name: [_returns(KILL)] for name in syscalls.DEADLY}
    for name, body in verdicts.items():
        number = syscalls.number(name, architecture)
        if number is not None:
            code += [(_JUMP_EQUAL, 0, len(body), number), *body]
    code.append(_returns(fails(errno.EPERM)))
    return assemble(code)


def assemble(code: Iterable[Instruction]) -> bytes:
    """Return the instructions in the kernel's binary format."""
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in code)


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


def install(code: bytes) -> None:
    """Put this process permanently under the filter. Needs NO_NEW_PRIVS."""
    buffer = ctypes.create_string_buffer(code, len(code))
    linux.prctl_pointer(
        linux.PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(_Program(len(code) // 8, ctypes.addressof(buffer)))
    )
