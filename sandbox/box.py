"""One bot in its box, from the judge's side: a hostile socket, a CPU clock, a wall clock, and a process to freeze.

The bot is stopped except while it is its turn. All CPU time since its last answer is charged to its next turn. So a bot
gains nothing if it computes on before the stop signal arrives. Sleep is charged like CPU time.
"""

import select
import signal
import socket
import struct
from collections.abc import Mapping
from contextlib import suppress
from math import inf
from signal import pidfd_send_signal
from time import clock_gettime, monotonic
from typing import Any, Final, NoReturn

import msgspec

from games.protocol import BotFault, Limits, PlatformFault, Verdict

from . import exit_status
from .faults import Reply
from .files import upload_pieces
from .groups import CageGroups
from .inside import wire
from .overtime import overtime_fault
from .overtime_place import overtime_place_find
from .process import Process
from .replies import reply_answer_read, reply_ready_read, reply_tags
from .zygote_client import Zygote

# The most seconds of CPU time between an answer and the next turn. An honest bot uses microseconds. The limit is higher
# because a virtual machine that loses its core at that moment charges the bot tens of milliseconds that the bot did not
# use.
_OFF_TURN: Final = 0.1
_FAREWELL: Final = 0.05  # seconds for game_over: few, because a bot in the next game could measure how long they last
# Seconds of wall time of an action that are never charged, so that fast answers need no accounting
_UNCOUNTED: Final = 0.010
_SETUP_WALL: Final = 20.0  # seconds for the cage's own part of a start, which takes milliseconds

_TIMES: Final = (Verdict.CPU_TIME, Verdict.WALL_TIME, Verdict.SLEPT)
_SHORTEST: Final = 1000  # microseconds; a timeout of 0 would wait without end
_TIMEVAL: Final = struct.Struct("@ll").pack
_STOP: Final = int(signal.SIGSTOP)
_CONTINUE: Final = int(signal.SIGCONT)
_AT_ONCE: Final = int(socket.MSG_DONTWAIT)
_TRUE_SIZE: Final = int(socket.MSG_TRUNC)

_encode: Final = msgspec.msgpack.Encoder().encode


class Box:
    """A started bot. ``Cage.start`` creates it. Not safe to share between threads.

    ``_turn`` and ``_listen`` run for every action of every game, so they avoid calls to helper functions.
    """

    def __init__(self, zygote: Zygote, serial: int, limits: Limits, groups: CageGroups | None = None) -> None:
        self._limits = limits
        self._charged = 0.0  # CPU seconds of the process that were charged so far
        self._paid_before = 0.0  # CPU seconds that were charged before this action
        self._bank = min(limits.game_cpu, limits.game_wall)
        self._spent = 0.0  # seconds of ``_bank`` that are used up
        self._slept = self._slept_at_start = 0.0  # seconds of sleep within ``_spent``
        # How many seconds the process had waited for a core before this action; None if not measured yet
        self._starved: float | None = None
        self._began = monotonic()
        self._buffer = bytearray(wire.message_cap(limits.action_bytes))
        self._message = memoryview(self._buffer)
        self._tags = reply_tags()
        self._answered = b""  # the tag of the previous turn
        self._timeout = 0.0  # the current timeout of the socket in seconds
        self.closed = False
        # Whether the bot defines a function ``act`` that is not used, because the bot also has a class ``Bot``.
        self.is_act_idle = False

        order = wire.Spawn(
            serial, zygote.ids.bot_user(serial), limits.memory, exit_status.exit_backstop_seconds(limits)
        )
        self._process = Process.start(zygote, order, groups)
        self._socket = self._process.channel
        self._printed = self._process.printed
        self._pidfd = self._process.pidfd
        self._clock = self._process.clock

    # --- the bot's life

    def start(self, files: Mapping[str, bytes], table: Mapping[str, Any], seed: int) -> None:
        """Send the bot its files and wait until it is ready.

        Raises:
            BotFault: the bot did not start. The box is closed.
            PlatformFault: the box could not be locked. The box is closed.
        """
        self._files = files
        try:
            self._set_up(files, table, seed)
            self._charged = self._paid_before = self._process.cpu
            self._began = monotonic()
            size, _, _ = self._listen(self._limits.start_cpu, self._limits.start_wall, "at the start")
            self.is_act_idle = reply_ready_read(self._message[:size])
            self._slept_at_start, self._spent, self._slept = self._slept, 0.0, 0.0
        except BotFault as fault:
            raise self._condemned(fault) from None
        except BaseException:
            self.close()
            raise

    def act(self, view: Mapping[str, Any]) -> Reply:
        """Return the bot's answer to this view. The action is text of at most ``limits.action_bytes``; it may be
        illegal.

        Raises:
            BotFault: the bot gave no valid answer. The box is closed.
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
        """Tell the bot how the game ended, and give it ``_FAREWELL`` seconds to react. Return what it printed. A fault
        here has no consequences.
        """
        try:
            return self._turn(wire.GAME_OVER, result, _FAREWELL).output
        except BotFault as fault:
            return self._condemned(fault, farewell=True).output
        except PlatformFault:
            self.close()
            return ""

    def close(self) -> None:
        """Kill the bot and wait until its process and group are gone. Idempotent; never raises."""
        if self.closed:
            return
        self.closed = True
        self._process.end()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def cpu(self) -> float:
        """CPU seconds of the bot's process so far; the total once it has ended."""
        try:
            return self._process.cpu
        except PlatformFault:
            return self._charged

    @property
    def slept(self) -> float:
        """Seconds on the clock in which the bot neither computed nor waited for a core, including its start."""
        return self._slept_at_start + self._slept

    # --- one turn

    def _turn(self, kind: bytes, what: Mapping[str, Any], most: float = inf) -> Reply:
        if self.closed:
            raise PlatformFault("the box is closed")
        limits = self._limits
        paid = self._paid_before = self._charged
        self._began = monotonic()
        try:
            off_turn = clock_gettime(self._clock) - paid
        except OSError:
            self._died()
        if off_turn > _OFF_TURN:
            raise BotFault(Verdict.OFF_TURN, f"{off_turn:.3f} s of CPU time while it was not its turn", limit=_OFF_TURN)
        tag = next(self._tags)
        message = kind + tag + _encode(what)
        try:
            self._socket.send(message, _AT_ONCE)
            pidfd_send_signal(self._pidfd, _CONTINUE)
        except BlockingIOError:
            raise BotFault(Verdict.NOT_READING, "the bot does not read what it is sent") from None
        except (ConnectionError, ProcessLookupError):
            self._died()
        except OSError as error:
            raise PlatformFault(f"a message of {len(message)} bytes cannot be sent: {error}") from error
        left = self._bank - self._spent
        size, cpu, wall = self._listen(
            min(limits.act_cpu, left, most), min(limits.act_wall, left + _UNCOUNTED, most), "for one action"
        )
        if self._spent > self._bank:
            raise self._too_slow(Verdict.SLEPT, wall, left, "for one action")
        action, explanation = reply_answer_read(self._message[:size], tag, self._answered, limits)
        self._answered = tag
        return Reply(action, self._printed.read(limits.output), cpu, wall, explanation)

    def _listen(self, cpu: float, wall: float, span: str) -> tuple[int, float, float]:
        """Wait within these limits until a message of the bot is in the buffer. Then freeze the bot and charge it for
        the time. Return the size of the message, and the CPU seconds and wall seconds that it took.
        """
        self._starved = None
        patience = min(cpu, wall, _UNCOUNTED)
        while True:
            if patience != self._timeout:
                self._be_patient(patience)
            try:
                # File descriptors that a bot passes are dropped.
                size = self._socket.recv_into(self._buffer, 0, _TRUE_SIZE)
                break
            except BlockingIOError:
                patience = self._patience_left(cpu, wall, span)
            except ConnectionError:
                self._died()
        try:
            pidfd_send_signal(self._pidfd, _STOP)
            now = clock_gettime(self._clock)
        except OSError:  # the bot's process has ended since
            now = self._process.cpu
        if size == 0:
            self._died()
        used = now - self._charged
        if used > cpu:
            raise self._too_slow(Verdict.CPU_TIME, used, cpu, span)
        waited = monotonic() - self._began
        slept = 0.0 if self._starved is None else self._asleep(waited, used)
        self._charged = now
        self._spent += used + slept
        self._slept += slept
        if size > len(self._buffer):
            raise BotFault(Verdict.OVERSIZE, f"a message of {size} bytes; at most {len(self._buffer)} are read")
        return size, used, waited

    def _be_patient(self, seconds: float) -> None:
        """Set the timeout of the socket. With a timeout, no ``poll`` is needed for each message."""
        microseconds = max(int(seconds * 1e6), _SHORTEST)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, _TIMEVAL(*divmod(microseconds, 1_000_000)))
        self._timeout = seconds

    def _patience_left(self, cpu: float, wall: float, span: str) -> float:
        """Return the seconds to keep waiting for a message.

        Raises:
            BotFault: no time is left.
        """
        used = self._process.cpu - self._charged
        waited = monotonic() - self._began
        if used >= cpu:
            raise self._too_slow(Verdict.CPU_TIME, used, cpu, span)
        if self._starved is None:
            self._starved = self._process.starved()
        left = wall - waited
        if left <= 0:
            left += self._process.starved() - self._starved
            if left <= 0 and not self._is_message_there() and not self._process.wants_a_core():
                verdict = Verdict.SLEPT if self._asleep(waited, used) > used else Verdict.WALL_TIME
                raise self._too_slow(verdict, waited, wall, span)
        return min(cpu - used, max(left, _UNCOUNTED))

    def _asleep(self, waited: float, used: float) -> float:
        """Return the seconds of this action in which the bot neither computed nor waited for a core."""
        starved = self._process.starved() - (self._starved or 0.0)
        return max(0.0, waited - used - max(0.0, starved) - _UNCOUNTED)

    def _is_message_there(self) -> bool:
        poll = select.poll()
        poll.register(self._socket, select.POLLIN)
        return bool(poll.poll(0))

    def _too_slow(self, verdict: Verdict, used: float, allowed: float, span: str) -> BotFault:
        return overtime_fault(self._limits, verdict, used, allowed, span, self._slept)

    # --- start and end

    def _set_up(self, files: Mapping[str, bytes], table: Mapping[str, Any], seed: int) -> None:
        """Do the cage's own part of the start, before any of the bot's code runs. Every failure here is a fault of the
        platform.
        """
        listed = [wire.BoxFile(name, len(data)) for name, data in files.items()]
        setup = wire.BoxSetup(listed, dict(table), seed, self._limits.action_bytes)
        self._socket.settimeout(_SETUP_WALL)
        try:
            self._socket.send(wire.SETUP + _encode(setup))
            for piece in upload_pieces(files):
                self._socket.send(piece)
            word = self._socket.recv(len(self._buffer))
        except OSError as error:
            raise PlatformFault(f"a box was lost while it was built: {error}") from error
        finally:
            self._socket.settimeout(None)
        if word != wire.LOCKED:
            raise PlatformFault(
                f"a box could not be locked: {word[1:].decode('utf-8', 'replace') or 'its process ended'}"
            )

    def _died(self) -> NoReturn:
        """Raise the fault for how the bot's process ended. Its end of the socket is closed."""
        ending = self._process.is_ending()  # also true for a process that takes long to exit
        self._process.signal(signal.SIGKILL)
        ended = self._process.ending()
        if not ending and exit_status.exit_was_killed(ended):  # the signal above killed it
            raise BotFault(Verdict.PROTOCOL, "the bot closed its channel, or sent an empty message")
        raise exit_status.exit_fault(ended, self._limits, overran=self._process.overran())

    def _condemned(self, fault: BotFault, *, farewell: bool = False) -> BotFault:
        """Close the box. Complete the fault with what the bot used and printed, and where it was."""
        fault.wall = monotonic() - self._began
        with suppress(PlatformFault):
            paid = self._charged - self._paid_before
            fault.cpu = paid or self._process.cpu - self._charged
        if fault.verdict in _TIMES and not farewell:
            overtime_place_find(fault, self._process, self._socket, self._files)
        self._process.kill()
        fault.output = self._printed.read(self._limits.output)
        self.close()
        return fault
