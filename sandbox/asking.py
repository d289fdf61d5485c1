"""A question to a fresh interpreter: one message there, one answer back, and it is gone."""

import socket
import subprocess
from typing import Final

import msgspec

from .interpreter import Interpreter

_PATIENCE: Final = 60.0  # seconds; answers take some tens of milliseconds
_CAP: Final = 1 << 16


def ask(found: Interpreter, module: str, *, root: str = "") -> bytes:
    """Return what ``inside.<module>`` answers to the boot message.

    Raises:
        OSError: it could not be run, or took too long.
        EOFError: it died.
    """
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours:
        with theirs:
            asked = subprocess.Popen(  # noqa: S603 - the command is our own
                found.command(module, theirs.fileno()),
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
            ours.send(msgspec.msgpack.encode(found.boot(root=root, switch_user=False)))
            answer = ours.recv(_CAP)
        finally:
            asked.kill()
            asked.wait()
    if not answer:
        raise EOFError("they died")
    return answer
