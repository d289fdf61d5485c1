"""What the death of a bot's process says about the bot."""

import os
import signal

from games.protocol import BotFault, BoxLost, Limits, Verdict

from .inside import wire


def exit_backstop_seconds(limits: Limits) -> int:
    """Return the CPU seconds after which the kernel kills the process whatever the judge does."""
    return int(limits.start_cpu + limits.game_cpu + limits.act_cpu) + 2


def exit_was_killed(ended: wire.Exited) -> bool:
    """Tell whether the process was ended by SIGKILL, and not by itself."""
    return os.WIFSIGNALED(ended.status) and os.WTERMSIG(ended.status) == signal.SIGKILL


def exit_fault(ended: wire.Exited, limits: Limits, *, overran: bool) -> BotFault | BoxLost:
    """Return whose fault it is that a process has ended which the judge did not kill, and which one.

    ``overran``: its control group says that it was killed at its own limit of memory. Nothing else does: what a process
    has had at its most says little of what it held, and it may choose what that shows.
    """
    if os.WIFEXITED(ended.status):
        code = os.WEXITSTATUS(ended.status)
        return BotFault(Verdict.EXITED, f"the bot's process ended itself with code {code}")
    number = os.WTERMSIG(ended.status)
    if number == signal.SIGSYS:
        return BotFault(Verdict.FORBIDDEN_CALL, "the bot made a system call that no bot needs")
    if number != signal.SIGKILL:
        return BotFault(Verdict.KILLED, f"the bot's process crashed: {signal.strsignal(number)} (signal {number})")
    # Nobody but the kernel can have sent this one: for CPU time, or for memory, the bot's or the machine's.
    if ended.cpu >= exit_backstop_seconds(limits) - 1:
        return BotFault(
            Verdict.CPU_TIME, f"{ended.cpu:.1f} s of CPU time in all", limit=float(exit_backstop_seconds(limits))
        )
    if overran:
        detail = f"killed for its memory: more than {limits.memory >> 20} MiB, and what the kernel holds for it"
        return BotFault(Verdict.MEMORY, detail, limit=limits.memory)
    return BoxLost("a box was killed from outside: the machine may be out of memory")
