"""List the shared libraries that an interpreter with the kit needs: a box behind bwrap has no others."""

import os
import socket
from typing import Final, NoReturn

import msgspec

from . import control_loop, linux, wire, zygote

_read_boot: Final = msgspec.msgpack.Decoder(wire.Boot).decode


def main(fd: int) -> NoReturn:
    """Import the kit and send the list of libraries that this loaded."""
    link = socket.socket(fileno=fd)
    zygote.zygote_import_kit(_read_boot(link.recv(control_loop.CAP)))
    link.send(msgspec.msgpack.encode(linux.loaded()))
    os._exit(0)
