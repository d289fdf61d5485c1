"""Limit a bot to one window of address space, because no limit of a process counts page tables.

A page takes up to 8 KiB of page tables if nothing else is mapped within its GiB. The limit of address space counts the
page but not the tables. So everything outside a window is mapped without access rights, and the system call filter
forbids changes there. Page tables then take at most 1/512 of the window's size.
"""

import ctypes
import resource
from typing import Final

from . import linux

WORD: Final = 1 << 32  # bytes of a word; the filter compares only the upper halves of addresses
LONGEST: Final = 2  # words that one call may touch; as many stay free behind the window
_ROOM: Final = 3  # words on either side of where the kernel maps next: more than the largest memory limit
_LEAF: Final = 1 << 30  # bytes: a piece of at most this size is not split further, even if a part of it is occupied
_SPACE: Final = 1 << 48  # bytes of the whole address space
_STACK: Final = 1 << 28  # bytes below the end of the stack, into which it grows


def reserve() -> range:
    """Map all free space outside the window without access rights; return the window, as upper halves of addresses.

    Raises:
        OSError: this process may not map so much.
    """
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard != resource.RLIM_INFINITY:
        raise OSError(f"the worker's own address space is limited to {hard >> 20} MiB")
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    place = linux.map_nothing(0, resource.getpagesize())  # finds where the kernel maps next
    linux.unmap(place, resource.getpagesize())
    window = range(max(0, place // WORD - _ROOM), place // WORD + _ROOM + 1)
    stack = ctypes.c_void_p.in_dll(ctypes.CDLL(None), "__libc_stack_end").value or 0
    _reserve(0, _SPACE, (range(window.start * WORD, (window.stop + LONGEST) * WORD), range(stack - _STACK, stack)))
    return window


def _reserve(start: int, end: int, kept: tuple[range, ...]) -> None:
    """Map the free space between these addresses except the kept ranges. Split a range in halves where
    mapping fails.
    """
    if start and not any(start < each.stop and each.start < end for each in kept):
        try:
            linux.map_nothing(start, end - start)
        except OSError:  # the range is occupied, or goes beyond the address space
            pass
        else:
            return
    if end - start > _LEAF:
        middle = (start + end) // 2
        _reserve(start, middle, kept)
        _reserve(middle, end, kept)
