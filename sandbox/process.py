"""A bot's process from the judge's side: a pidfd, which never refers to another process, and a CPU clock."""

import os
import signal
import socket
import time
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

from games.protocol import PlatformFault
from games.untrusted import untrusted_text_clean

from .groups import BoxGroup, CageGroups
from .inside import wire
from .zygote_client import Zygote

_PIPE: Final = 1 << 16  # bytes of output that the kernel buffers; the rest is lost
_EXITING: Final = 0x4  # the bit PF_EXITING of the flags in /proc/PID/stat


class PrintPipe:
    """The reading end of the pipe for a bot's standard output and error. ``theirs`` is the writing end, which the bot
    gets.
    """

    def __init__(self) -> None:
        self._ours, self.theirs = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)

    def read(self, most: int) -> str:
        """Return what was printed since the last call: the first ``most`` bytes, without control characters."""
        try:
            data = os.read(self._ours, _PIPE)
        except BlockingIOError:
            return ""
        return untrusted_text_clean(data[:most].decode("utf-8", "ignore"), most) if data else ""

    def hand_over(self) -> None:
        """Close our copy of the writing end."""
        os.close(self.theirs)

    def close(self) -> None:
        os.close(self._ours)


class Process:
    """The process of one box. This object owns its pidfd, its control group, and our ends of its channel and of its
    output pipe.
    """

    def __init__(
        self, zygote: Zygote, box: int, pidfd: int, channel: socket.socket, printed: PrintPipe, group: BoxGroup | None
    ) -> None:
        self.channel = channel
        self.printed = printed
        self._zygote = zygote
        self._box = box
        self._group = group
        self._ended: wire.Exited | None = None
        self.pidfd = pidfd
        self.pid = 0
        try:
            self.pid = _pid_of(pidfd)
        except BaseException:
            self.end()
            raise
        self.clock = (~self.pid << 3) | 2  # the kernel's id of its CPU clock, for ``time.clock_gettime``

    @classmethod
    def start(cls, zygote: Zygote, order: wire.Spawn, groups: CageGroups | None) -> Self:
        """Have the zygote start a process, in its own control group if there are groups.

        Raises:
            PlatformFault: no process could be made.
        """
        try:
            group = None if groups is None else groups.box(order.memory)
        except OSError as error:
            raise PlatformFault(f"no control group for a box: {error}") from error
        channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        printed = PrintPipe()
        entrance = [] if group is None else [group.entrance]
        try:
            pidfd = zygote.spawn(order, theirs.fileno(), printed.theirs, *entrance)
        except BaseException:
            channel.close()
            printed.close()
            if group is not None:
                group.close()
            raise
        finally:
            theirs.close()
            printed.hand_over()
        return cls(zygote, order.box, pidfd, channel, printed, group)

    @property
    def cpu(self) -> float:
        """The CPU seconds of the process so far; the total once it has ended.

        Raises:
            PlatformFault: it has ended and its exit status is unknown.
        """
        if self._ended is None:
            try:
                return time.clock_gettime(self.clock)
            except OSError:
                pass  # reaped already
        return self.ending().cpu

    def starved(self) -> float:
        """Return the seconds for which the process and this thread of the judge have waited for a core so far,
        together. This is slow.
        """
        return _waited_for_a_core(str(self.pid)) + _waited_for_a_core("thread-self")

    def wants_a_core(self) -> bool:
        """Tell whether the process would run now if it had a core: it is runnable or waits for a page."""
        try:
            return Path(f"/proc/{self.pid}/stat").read_text().rpartition(") ")[2][:1] in ("R", "D")
        except OSError:  # it has ended
            return False

    def is_ending(self) -> bool:
        """Tell whether the process has ended or is exiting. If it is, its descriptors are closed because of that, and
        not because the bot has closed them.
        """
        try:
            flags = int(Path(f"/proc/{self.pid}/stat").read_text().rpartition(") ")[2].split()[6])
            status = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        except OSError:  # it has been reaped
            return True
        pending = (int(line.split()[1], 16) for line in status if line.startswith(("SigPnd:", "ShdPnd:")))
        return bool(flags & _EXITING) or any(signals >> (signal.SIGKILL - 1) & 1 for signals in pending)

    def signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.pidfd, number)

    def ending(self) -> wire.Exited:
        """Return how the process ended. This waits for the end, so the process must be dead or exiting.

        Raises:
            PlatformFault: its exit status is unknown.
        """
        if self._ended is None:
            self._ended = self._zygote.exit_of(self._box)
        return self._ended

    def overran(self) -> bool:
        """Tell whether the kernel killed it at the memory limit of its own control group."""
        return self._group is not None and self._group.overran()

    def kill(self) -> None:
        """Kill it and wait until it has ended; never raises."""
        self.signal(signal.SIGKILL)
        with suppress(PlatformFault):
            self.ending()

    def end(self) -> None:
        """Kill it, wait until it is gone, and release its descriptors. Once only; never raises."""
        self.channel.close()
        self.kill()
        os.close(self.pidfd)
        self.printed.close()
        if self._group is not None:
            self._group.close()


def _waited_for_a_core(task: str) -> float:
    try:
        return int(Path(f"/proc/{task}/schedstat").read_text().split()[1]) / 1e9
    except (OSError, LookupError, ValueError):  # it has ended, or the kernel does not keep this statistic
        return 0.0


def _pid_of(pidfd: int) -> int:
    """Return the process's id in our own PID namespace, from /proc/self/fdinfo."""
    with Path(f"/proc/self/fdinfo/{pidfd}").open() as lines:
        pid = next(int(line.split()[1]) for line in lines if line.startswith("Pid:"))
    if pid <= 0:  # the process was reaped; the clock of process 0 would be our own
        raise PlatformFault("a box was lost while it was built")
    return pid
