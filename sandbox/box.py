"""One bot in its box, as its judge sees it: a socket whose every byte is hostile, two clocks, and a process to freeze.

The bot is stopped except while it is its turn. All CPU time since its last answer is charged to its next one, so
nothing is gained by computing before the stop signal arrives.
"""

import os
import select
import signal
import socket
import struct
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NoReturn

import msgspec

from games.protocol import Limits, Verdict

from . import ending
from .answers import read_answer, read_ready
from .faults import BotFault, PlatformFault, Reply
from .files import pieces
from .inside import wire
from .link import Zygote

_OFF_TURN: Final = 0.010  # seconds of CPU between an answer and the next turn: an honest bot uses microseconds
_LAST_WORDS: Final = 0.25  # seconds for a process to end whose socket has closed
_SETUP_WALL: Final = 20.0  # seconds for our own part of a start, which takes milliseconds

_SHORTEST: Final = 1000  # microseconds of waiting for a message; none at all would be for ever
_TIMEVAL: Final = struct.Struct("@ll").pack
_STOP: Final = int(signal.SIGSTOP)  # plain numbers: looked up for every action
_CONTINUE: Final = int(signal.SIGCONT)

_encode: Final = msgspec.msgpack.Encoder().encode


class Box:
    """A started bot. Made by ``Cage.start``; not safe to share between threads."""

    def __init__(self, zygote: Zygote, serial: int, limits: Limits) -> None:
        self._zygote = zygote
        self._serial = serial
        self._limits = limits
        self._ended: wire.Exited | None = None
        self._charged = 0.0  # CPU seconds of the process that are paid for
        self._paid_before = 0.0  # of these, before this action
        self._game_cpu = 0.0
        self._game_wall = 0.0
        self._began = time.monotonic()
        self._buffer = bytearray(wire.message_cap(action_bytes=limits.action_bytes, output=limits.output))
        self._message = memoryview(self._buffer)
        self._tags = b""  # random bytes not used yet
        self._timeout = 0.0  # the socket's
        self.memory = limits.memory
        self.closed = False

        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            try:
                self._pidfd = zygote.spawn(self._order(), theirs)
            except BaseException:
                self._socket.close()
                raise
        self._poll = select.poll()
        self._poll.register(self._socket, select.POLLIN)
        try:
            self.pid = _pid_of(self._pidfd)
        except BaseException:
            self.close()
            raise
        self._clock = (~self.pid << 3) | 2  # its CPU clock

    def _order(self) -> wire.Spawn:
        user = self._zygote.id_map.bot_user(self._serial)
        return wire.Spawn(self._serial, user, self._limits.memory, ending.backstop(self._limits))

    # --- the bot's life

    def start(self, files: Mapping[str, bytes], table: Mapping[str, Any], seed: int) -> None:
        """Send the bot its files and wait until it is ready.

        Raises:
            BotFault: it did not start. The box is closed.
            PlatformFault: the box could not be locked. The box is closed.
        """
        try:
            self._furnish(files, table, seed)
            self._charged = self._paid_before = self._seconds()
            self._began = time.monotonic()
            size, _, _ = self._listen(self._limits.start_cpu, self._limits.start_wall, "at the start")
            read_ready(self._message[:size])
            self._game_cpu = self._game_wall = 0.0
        except BotFault as fault:
            raise self._condemned(fault) from None
        except BaseException:
            self.close()
            raise

    def act(self, view: Mapping[str, Any]) -> Reply:
        """The bot's answer to this view. The action is text of at most ``limits.action_bytes``; it may be illegal.

        Raises:
            BotFault: it gave none. The box is closed.
            PlatformFault: the cage failed. The box is closed.
        """
        try:
            return self._turn(wire.OBSERVE, view)
        except BotFault as fault:
            raise self._condemned(fault) from None
        except BaseException:
            self.close()
            raise

    def finish(self, result: Mapping[str, Any]) -> str:
        """Tell the bot how the game ended, if it wants to know; what it printed. Never the bot's or the game's loss."""
        try:
            return self._turn(wire.GAME_OVER, result).output
        except BotFault as fault:
            return self._condemned(fault).output
        except PlatformFault:
            self.close()
            return ""

    def close(self) -> None:
        """Kill the bot and wait until nothing of it is left. Idempotent, never raises."""
        if self.closed:
            return
        self.closed = True
        self._signal(signal.SIGKILL)
        self._socket.close()
        with suppress(PlatformFault):
            self._reap()
        os.close(self._pidfd)

    @property
    def cpu(self) -> float:
        """All CPU seconds of the bot's process so far; after its end, in all."""
        return self._charged if self.closed and self._ended is None else self._seconds()

    # --- one turn

    def _turn(self, kind: bytes, what: Mapping[str, Any]) -> Reply:
        if self.closed:
            raise PlatformFault("the box is closed")
        limits = self._limits
        self._paid_before = self._charged
        self._began = time.monotonic()
        if (off_turn := self._seconds() - self._charged) > _OFF_TURN:
            raise BotFault(Verdict.OFF_TURN, f"{off_turn:.3f} s of CPU time while it was not its turn", limit=_OFF_TURN)
        if self._poll.poll(0):
            size = self._read(0)
            raise BotFault(Verdict.UNSOLICITED, f"a message of {size} bytes while it was not its turn")
        tag = self._tag()
        self._send(kind + tag + _encode(what))
        self._signal(_CONTINUE)
        size, cpu, wall = self._listen(
            min(limits.act_cpu, limits.game_cpu - self._game_cpu),
            min(limits.act_wall, limits.game_wall - self._game_wall),
            "for one action",
        )
        action, output = read_answer(self._message[:size], tag, limits)
        return Reply(action, output, cpu, wall)

    def _listen(self, cpu: float, wall: float, span: str) -> tuple[int, float, float]:
        """Wait for one message within this CPU and wall time, put it into the buffer, freeze the bot and charge it.

        Its size and the seconds charged.
        """
        patience = min(cpu, wall)
        while (size := self._read(patience)) is None:
            used = self._seconds() - self._charged
            waited = time.monotonic() - self._began
            if used >= cpu:
                raise self._too_slow(Verdict.CPU_TIME, used, cpu, span)
            left = wall - waited
            if left <= 0:
                left += self._starved()
                if left <= 0 and not self._poll.poll(0):
                    raise self._too_slow(Verdict.WALL_TIME, waited, wall, span)
            patience = min(cpu - used, left)
        self._signal(_STOP)
        now = self._seconds()
        used = now - self._charged
        if used > cpu:
            raise self._too_slow(Verdict.CPU_TIME, used, cpu, span)
        waited = time.monotonic() - self._began
        self._charged = now
        self._game_cpu += used
        self._game_wall += waited
        return size, used, waited

    def _tag(self) -> bytes:
        """Bytes that nobody can guess. They are fetched for many turns at a time: the kernel is slower to ask."""
        if not self._tags:
            self._tags = os.urandom(32 * wire.TAG)
        tag, self._tags = self._tags[: wire.TAG], self._tags[wire.TAG :]
        return tag

    def _read(self, patience: float) -> int | None:
        """Put the next message into the buffer; its size, or None if there is none within so many seconds.

        The socket's own timeout does the waiting, because it saves a call for each message.
        """
        if patience != self._timeout:
            microseconds = max(int(patience * 1e6), _SHORTEST)
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, _TIMEVAL(*divmod(microseconds, 1_000_000)))
            self._timeout = patience
        try:
            size = self._socket.recv_into(self._buffer, 0, socket.MSG_TRUNC)  # passed descriptors are dropped
        except BlockingIOError:
            return None
        except ConnectionError:
            self._died()
        if size == 0:
            self._died()
        if size > len(self._buffer):
            raise BotFault(Verdict.OVERSIZE, f"a message of {size} bytes; at most {len(self._buffer)} are read")
        return size

    def _too_slow(self, verdict: Verdict, used: float, allowed: float, span: str) -> BotFault:
        limits = self._limits
        of, banks = {
            Verdict.CPU_TIME: ("CPU time", (limits.start_cpu, limits.act_cpu, limits.game_cpu)),
            Verdict.WALL_TIME: ("time on the clock", (limits.start_wall, limits.act_wall, limits.game_wall)),
        }[verdict]
        if allowed in banks[:2]:
            return BotFault(verdict, f"{used:.3f} s of {of}; {allowed:g} s are allowed {span}", limit=allowed)
        detail = f"{used:.3f} s of {of} with {max(allowed, 0):.3f} s left of the {banks[2]:g} s for the game"
        return BotFault(verdict, detail, limit=banks[2])

    # --- the end

    def _died(self) -> NoReturn:
        """The bot's end of the socket is closed: find out how its process ended."""
        self._signal(signal.SIGCONT)
        gone = select.poll()
        gone.register(self._pidfd, select.POLLIN)
        alive = not gone.poll(_LAST_WORDS * 1000)
        self._signal(signal.SIGKILL)
        ended = self._reap()
        if alive and ending.was_killed(ended):  # by us: otherwise it was only slow to die
            raise BotFault(Verdict.PROTOCOL, "the bot closed its channel, or sent an empty message")
        raise ending.fault(ended, self._limits)

    def _condemned(self, fault: BotFault) -> BotFault:
        """Close the box and complete the fault with what the bot had used."""
        fault.wall = time.monotonic() - self._began
        with suppress(PlatformFault):
            paid = self._charged - self._paid_before
            fault.cpu = paid or self._seconds() - self._charged
        self.close()
        return fault

    # --- the process

    def _furnish(self, files: Mapping[str, bytes], table: Mapping[str, Any], seed: int) -> None:
        """Our part of the start, before any of the bot's code runs: whatever fails here is ours."""
        listed = [wire.File(name, len(data)) for name, data in files.items()]
        setup = wire.Setup(listed, dict(table), seed, self._limits.output, self._limits.action_bytes)
        self._socket.settimeout(_SETUP_WALL)
        try:
            self._socket.send(wire.SETUP + _encode(setup))
            for piece in pieces(files):
                self._socket.send(piece)
            word = self._socket.recv(len(self._buffer))
        except OSError as error:
            raise PlatformFault(f"a box was lost while it was built: {error}") from error
        finally:
            self._socket.settimeout(None)
        if word != wire.LOCKED:
            raise PlatformFault(f"a box could not be locked: {word[1:].decode('utf-8', 'replace') or 'it died'}")

    def _send(self, message: bytes) -> None:
        try:
            self._socket.send(message, socket.MSG_DONTWAIT)
        except BlockingIOError:
            raise BotFault(Verdict.NOT_READING, "the bot does not read what it is sent") from None
        except ConnectionError:
            self._died()
        except OSError as error:
            raise PlatformFault(f"a message of {len(message)} bytes cannot be sent: {error}") from error

    def _signal(self, number: int) -> None:
        try:  # noqa: SIM105 - suppress() costs as much as the call
            signal.pidfd_send_signal(self._pidfd, number)
        except ProcessLookupError:
            pass

    def _seconds(self) -> float:
        if self._ended is None:
            try:
                return time.clock_gettime(self._clock)
            except OSError:
                pass  # reaped already: it has died
        return self._reap().cpu

    def _starved(self) -> float:
        """Seconds of its life in which the bot was ready to run and the machine had no core for it.

        Not the bot's fault, so they are added to what it may take on the clock. Too slow to read for every action.
        """
        try:
            return int(Path(f"/proc/{self.pid}/schedstat").read_text().split()[1]) / 1e9
        except (OSError, LookupError, ValueError):  # it has died, or the kernel does not keep the account
            return 0.0

    def _reap(self) -> wire.Exited:
        if self._ended is None:
            self._ended = self._zygote.exit_of(self._serial)
        return self._ended


def _pid_of(pidfd: int) -> int:
    """The process's id in our own namespace; only the kernel's account of the descriptor has it."""
    with Path(f"/proc/self/fdinfo/{pidfd}").open() as lines:
        pid = next(int(line.split()[1]) for line in lines if line.startswith("Pid:"))
    if pid <= 0:  # reaped; the clock of process 0 would be our own
        raise PlatformFault("a box was lost while it was built")
    return pid
