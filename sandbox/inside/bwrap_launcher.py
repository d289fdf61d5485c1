"""The launcher: on machines where only ``bwrap`` may create namespaces, it starts one bwrap for each bot.

It speaks the zygote's control protocol, but runs outside the wall. It holds none of the worker's data, and no bot is
forked from it. bwrap starts each box as an interpreter behind its walls, which then locks itself (``bwrap_child``).
Once a box is up, the launcher kills the bwrap process that waits for it, and so becomes the box's parent. bwrap would
only pass on an exit code, which the bot may choose.
"""

import os
import resource
import socket
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NoReturn

import msgspec

from . import control_loop, linux, wire
from .control_loop import control_loop_say, control_loop_serve, control_loop_settle

_PATIENCE: Final = 20.0  # most seconds until an interpreter is up behind its walls
_ERROR_MOST: Final = 500  # bytes of an error message of bwrap or the interpreter

_read_boot: Final = msgspec.msgpack.Decoder(wire.Boot).decode


def main(control_fd: int) -> NoReturn:
    """Serve until the judge closes the control channel."""
    control = socket.socket(fileno=control_fd)
    try:
        control_loop_settle()
        linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)
        control_loop_say(control, wire.Settled())
        boot = _read_boot(control.recv(control_loop.CAP))
    except (OSError, msgspec.MsgspecError) as error:
        control_loop_say(control, wire.WireRefused("process", f"{type(error).__name__}: {error}"))
        os._exit(1)
    control_loop_say(control, wire.Ready())
    control_loop_serve(control, lambda order, passed: _start(boot, order, passed))


def _start(boot: wire.Boot, order: wire.Spawn, passed: Sequence[int]) -> int:
    """Start a box behind bwrap's walls, as our own child; return its pid.

    Raises:
        OSError: no box was started; the message has bwrap's output.
    """
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours:
        with theirs:
            reader, to_say = os.pipe()
            bwrap = subprocess.Popen(  # noqa: S603 - the command is our own
                [*boot.walls, str(theirs.fileno())],
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=to_say,
            )
            os.close(to_say)
        try:
            pid = _meet(ours, boot)
        except (OSError, EOFError) as error:
            os.set_blocking(reader, False)
            raise OSError(f"bwrap: {_read(reader) or error}") from error
        finally:
            bwrap.kill()
            bwrap.wait()
            os.close(reader)
        message = msgspec.msgpack.encode(wire.Walled(order, _mapped(pid)))
        socket.send_fds(ours, [message], passed)
    return pid


def _meet(link: socket.socket, boot: wire.Boot) -> int:
    """Tell the box what to import and wait until it has; return its pid.

    Raises:
        OSError: the box ended or did not answer in time.
    """
    link.settimeout(_PATIENCE)
    link.send(msgspec.msgpack.encode(boot))
    _, fds, _, _ = socket.recv_fds(link, control_loop.CAP, 1)
    if not fds:
        raise EOFError("the interpreter ended without an answer")
    with Path(f"/proc/self/fdinfo/{fds[0]}").open() as lines:
        pid = next(int(line.split()[1]) for line in lines if line.startswith("Pid:"))
    os.close(fds[0])
    return pid


def _read(pipe: int) -> str:
    try:
        return os.read(pipe, _ERROR_MOST).decode("utf-8", "replace").strip()
    except BlockingIOError:
        return ""


def _mapped(pid: int) -> int:
    """Return the bytes of address space that a box maps before its bot does anything."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[0]) * resource.getpagesize()
