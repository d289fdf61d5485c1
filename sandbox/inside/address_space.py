"""The address space that a bot may use: one window of it, because page tables count in no limit of a process.

A page takes up to 8 KiB of tables where nothing else is mapped within its GiB, and the limit of address space sees the
page alone. So all but a window is mapped without any right, and the system call filter lets nobody change that: tables
take at most 1/512 of the window.
"""

import ctypes
import resource
from typing import Final

from . import linux

WORD: Final = 1 << 32  # bytes: the filter compares the upper halves of addresses
LONGEST: Final = 2  # words that one call may concern; so many are left free behind the window
_ROOM: Final = 3  # words on either side of where the kernel maps next: more than the largest limit of memory
_LEAF: Final = 1 << 30  # bytes: pieces that are not wholly free, and no larger, stay as they are
_SPACE: Final = 1 << 48  # bytes
_STACK: Final = 1 << 28  # bytes below the stack's end, into which it grows


def reserve() -> range:
    """Map all that is free outside the window, without any right; return the window, as upper halves of addresses.

    Raises:
        OSError: this process may not map so much.
    """
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard != resource.RLIM_INFINITY:
        raise OSError(f"the worker's own address space is limited to {hard >> 20} MiB")
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    place = linux.map_nothing(0, resource.getpagesize())  # where the kernel maps next
    linux.unmap(place, resource.getpagesize())
    window = range(max(0, place // WORD - _ROOM), place // WORD + _ROOM + 1)
    stack = ctypes.c_void_p.in_dll(ctypes.CDLL(None), "__libc_stack_end").value or 0
    _reserve(0, _SPACE, (range(window.start * WORD, (window.stop + LONGEST) * WORD), range(stack - _STACK, stack)))
    return window


def _reserve(start: int, end: int, kept: tuple[range, ...]) -> None:
    """Map what is free between the addresses and not kept, in halves where that cannot be done at once."""
    if start and not any(start < each.stop and each.start < end for each in kept):
        try:
            linux.map_nothing(start, end - start)
        except OSError:  # something is there, or the space ends before
            pass
        else:
            return
    if end - start > _LEAF:
        middle = (start + end) // 2
        _reserve(start, middle, kept)
        _reserve(middle, end, kept)
