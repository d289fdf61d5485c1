"""Landlock: confine the bot's process to reading a few folders, without other paths, ports or signals."""

import ctypes
import os
import struct
from collections.abc import Iterable
from typing import Final

from . import linux

_VERSION_FLAG: Final = 1
_RULE_PATH_BENEATH: Final = 1
_READ_FILE: Final = 1 << 2
_READ_DIR: Final = 1 << 3
# The rights on files that each ABI can forbid: a right that is handled and not granted is denied.
_FILE_RIGHTS: Final = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1, 5: (1 << 16) - 1}
_NET_RIGHTS: Final = 0b11  # TCP bind and connect, from ABI 4
_SCOPES: Final = 0b11  # abstract unix sockets and signals to the outside, from ABI 6


def abi() -> int:
    """Return the kernel's Landlock version.

    Raises:
        OSError: the kernel has no Landlock, or it is switched off.
    """
    return linux.call("landlock_create_ruleset", None, 0, _VERSION_FLAG)


def confine(version: int, readable: Iterable[str]) -> None:
    """Confine this process permanently: it can only read, and only below ``readable``. Needs NO_NEW_PRIVS."""
    attributes = struct.pack(
        "=QQQ", _FILE_RIGHTS[min(version, 5)], _NET_RIGHTS if version >= 4 else 0, _SCOPES if version >= 6 else 0
    )[: 24 if version >= 6 else 16 if version >= 4 else 8]
    size = len(attributes)
    ruleset = linux.call("landlock_create_ruleset", ctypes.create_string_buffer(attributes, size), size, 0)
    for path in readable:
        folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
        rule = ctypes.create_string_buffer(struct.pack("=Qi", _READ_FILE | _READ_DIR, folder), 12)
        linux.call("landlock_add_rule", ruleset, _RULE_PATH_BENEATH, rule, 0)
        os.close(folder)
    linux.call("landlock_restrict_self", ruleset, 0)
    os.close(ruleset)
