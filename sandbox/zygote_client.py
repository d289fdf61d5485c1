"""The judge's connection to a zygote or launcher: start it, order boxes, receive their exit statuses."""

import os
import select
import socket
import subprocess
import time
from contextlib import suppress
from enum import StrEnum
from typing import Final, NoReturn, Self

import msgspec

from games.protocol import PlatformFault

from .bubblewrap import bubblewrap_walls
from .groups import CageGroups
from .inside import ids, wire
from .inside.ids import ids_choose, ids_choose_unmapped
from .interpreter import Interpreter
from .library import Library

_PATIENCE: Final = 20.0  # most seconds to wait; the zygote answers in milliseconds unless the machine is overloaded
_CAP: Final = 1 << 16

_read: Final = msgspec.msgpack.Decoder(wire.ZygoteMessage).decode


class Backend(StrEnum):
    """How boxes get their namespaces."""

    OWN = "own"  # a warm zygote forks each box into its own namespaces: the best backend
    BWRAP = "bwrap"  # one bwrap and one interpreter for each box: for machines where only bwrap may create namespaces


_MODULES: Final = {Backend.OWN: "zygote", Backend.BWRAP: "bwrap_launcher"}


class LayerError(PlatformFault):
    """The zygote could not build this layer of the cage."""

    def __init__(self, layer: str, error: str) -> None:
        super().__init__(f"{layer}: {error}")
        self.layer = layer
        self.error = error


class Zygote:
    """A running zygote, or a launcher, which has the same protocol. It starts the boxes.

    It ends with the thread that launched it, with its socket, or on ``close``.
    """

    def __init__(self, process: subprocess.Popen[bytes], control: socket.socket, ids_: ids.Ids) -> None:
        self._process = process
        self._control = control
        self._poll = select.poll()
        self._poll.register(control, select.POLLIN)
        self._exits: dict[int, wire.Exited] = {}
        self.ids = ids_
        self._open = True

    @classmethod
    def launch(
        cls, found: Interpreter, backend: Backend, library: Library | None, group: CageGroups | None = None
    ) -> Self:
        """Start a zygote or launcher, in the group if there is one, and wait until it accepts orders.

        Without a shared copy of the library, a zygote makes its own. A launcher cannot.

        Raises:
            LayerError: a layer could not be built, or bwrap is not installed.
            PlatformFault: it ended or did not answer.
        """
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            try:
                process = subprocess.Popen(  # noqa: S603 - the command is our own
                    found.command(_MODULES[backend], theirs.fileno()),
                    env=found.environment(),
                    pass_fds=(theirs.fileno(),),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    cwd="/",
                    start_new_session=True,  # so that Ctrl-C in the terminal reaches only the worker
                )
            except OSError as error:
                ours.close()
                raise LayerError("library", f"cannot run {found.executable}: {error}") from error
        zygote = cls(process, ours, ids_choose() if backend is Backend.OWN else ids_choose_unmapped())
        try:
            zygote._boot(found, backend, library, group)
        except BaseException:
            zygote.close()
            raise
        return zygote

    @property
    def alive(self) -> bool:
        return self._open and self._process.poll() is None

    def _boot(self, found: Interpreter, backend: Backend, library: Library | None, group: CageGroups | None) -> None:
        self._expect(wire.Settled)
        if group is not None:
            with suppress(OSError):  # the group is optional
                group.take(self._process.pid)
        try:
            self.ids = ids.give(self.ids, self._process.pid)
        except OSError as error:
            raise LayerError("id map", str(error)) from error
        try:
            walls = _walls(found, library) if backend is Backend.BWRAP else []
        except FileNotFoundError as error:
            raise LayerError("bwrap", str(error)) from error
        root = "" if library is None else library.root
        self._send(found.boot(root=root, switch_user=self.ids.switch_user, walls=walls))
        self._expect(wire.Ready)

    def spawn(self, order: wire.Spawn, *passed: int) -> int:
        """Start a box and return its pidfd. The first of the descriptors ``passed`` is the box's end of the channel.
        The others are the box's end of the output pipe and, if there is one, the file by which it joins its control
        group.

        Raises:
            PlatformFault: no process could be made.
        """
        self._send(order, *passed)
        deadline = time.monotonic() + _PATIENCE
        while True:
            message, pidfd = self._receive(deadline)
            match message:
                case wire.Spawned(box=order.box) if pidfd is not None:
                    return pidfd
                case wire.Unspawned(box=order.box, error=error):
                    raise PlatformFault(f"no process for a box: {error}")
                case _:
                    self._note(message)

    def exit_of(self, box: int) -> wire.Exited:
        """Return how the box ended. This waits for the end, so the box must be dead or exiting.

        Raises:
            PlatformFault: the zygote ended or did not answer.
        """
        deadline = time.monotonic() + _PATIENCE
        while box not in self._exits:
            message, _ = self._receive(deadline)
            self._note(message)
        return self._exits.pop(box)

    def close(self) -> None:
        """End the zygote and with it every box. Idempotent."""
        self._open = False
        self._control.close()
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _expect(self, kind: type[wire.ZygoteMessage]) -> None:
        message, _ = self._receive(time.monotonic() + _PATIENCE)
        if isinstance(message, wire.WireRefused):
            raise LayerError(message.layer, message.error)
        if not isinstance(message, kind):
            raise PlatformFault(f"the zygote said {message!r} instead of {kind.__name__}")

    def _note(self, message: wire.ZygoteMessage) -> None:
        if isinstance(message, wire.Exited):
            self._exits[message.box] = message

    def _send(self, message: wire.Boot | wire.Spawn, *passed: int) -> None:
        if not self._open:
            raise PlatformFault("the zygote is gone")
        try:
            socket.send_fds(self._control, [msgspec.msgpack.encode(message)], passed)
        except OSError as error:
            self._lost(error)

    def _receive(self, deadline: float) -> tuple[wire.ZygoteMessage, int | None]:
        if not self._open:
            raise PlatformFault("the zygote is gone")
        if not self._poll.poll(max(0, deadline - time.monotonic()) * 1000):
            self._lost(TimeoutError(f"no word from the zygote for {_PATIENCE} s"))
        try:
            data, fds, _, _ = socket.recv_fds(self._control, _CAP, 1)
        except OSError as error:
            self._lost(error)
        if not data:
            self._lost(EOFError("the zygote died"))
        try:
            return _read(data), fds[0] if fds else None
        except msgspec.MsgspecError as error:
            for fd in fds:
                with suppress(OSError):
                    os.close(fd)
            self._lost(error)

    def _lost(self, error: Exception) -> NoReturn:
        self.close()
        raise PlatformFault(f"the zygote is lost: {error}") from error


def _walls(found: Interpreter, library: Library | None) -> list[str]:
    if library is None:
        raise LayerError("library copy", "no tmpfs that workers may share has room for it, and bwrap makes none")
    return bubblewrap_walls(found, library)
