"""Turn the exit status of a bot's process into a fault of the bot or of the platform."""

import os
import signal

from games.protocol import BotFault, BoxLost, Limits, Verdict

from .inside import wire


def exit_backstop_seconds(limits: Limits) -> int:
    """Return the CPU seconds after which the kernel kills the process, as a backstop to the judge's clocks."""
    return int(limits.start_cpu + limits.game_cpu + limits.act_cpu) + 2


def exit_was_killed(ended: wire.Exited) -> bool:
    """Tell whether SIGKILL ended the process."""
    return os.WIFSIGNALED(ended.status) and os.WTERMSIG(ended.status) == signal.SIGKILL


def exit_fault(ended: wire.Exited, limits: Limits, *, overran: bool) -> BotFault | BoxLost:
    """Return the fault for a process that ended although the judge did not kill it: the bot's or the platform's.

    ``overran`` says that the process was killed at the memory limit of its own control group. No other sign of this is
    reliable: the peak usage of a process says little about its current usage, and the bot can influence it.
    """
    if os.WIFEXITED(ended.status):
        code = os.WEXITSTATUS(ended.status)
        return BotFault(Verdict.EXITED, f"the bot's process ended itself with code {code}")
    number = os.WTERMSIG(ended.status)
    if number == signal.SIGSYS:
        return BotFault(Verdict.FORBIDDEN_CALL, "the bot made a system call that no bot needs")
    if number != signal.SIGKILL:
        return BotFault(Verdict.KILLED, f"the bot's process crashed: {signal.strsignal(number)} (signal {number})")
    # Only the kernel can have sent this SIGKILL: for CPU time, for the bot's memory, or because the machine is out of
    # memory.
    if ended.cpu >= exit_backstop_seconds(limits) - 1:
        return BotFault(
            Verdict.CPU_TIME, f"{ended.cpu:.1f} s of CPU time in all", limit=float(exit_backstop_seconds(limits))
        )
    if overran:
        most = limits.memory >> 20
        detail = f"killed for using more than {most} MiB of memory, including what the kernel holds for it"
        return BotFault(Verdict.MEMORY, detail, limit=limits.memory)
    return BoxLost("a box was killed from outside: the machine may be out of memory")
