"""Describe the fault of a bot that took too much time, and where in its code it was."""

from collections.abc import Sequence
from traceback import FrameSummary, StackSummary

from games.protocol import BotFault, Limits, Verdict

from .inside.failure import FRAMES

Frame = tuple[str, int, str, str]  # file, line, function, source of the line


def overtime_fault(limits: Limits, verdict: Verdict, used: float, allowed: float, span: str, slept: float) -> BotFault:
    """Return the fault of a bot that used more seconds than ``allowed`` for this ``span``.

    ``slept`` are the bot's seconds of sleep in the whole game. If these are most of its time for the game, the verdict
    is SLEPT.
    """
    of, single = "time on the clock", (limits.start_wall, limits.act_wall)
    if verdict == Verdict.CPU_TIME:
        of, single = "CPU time", (limits.start_cpu, limits.act_cpu)
    if allowed in single:
        return BotFault(verdict, f"{used:.3f} s of {of}; {allowed:g} s are allowed {span}", limit=allowed)
    bank = min(limits.game_cpu, limits.game_wall)
    if slept > bank / 2:
        verdict = Verdict.SLEPT
    detail = f"{used:.3f} s of {of} with {max(allowed, 0):.3f} s left of the {bank:g} s for the game"
    if verdict == Verdict.SLEPT:
        detail += f"; it has slept {slept:.3f} s"
    return BotFault(verdict, detail, limit=bank)


def overtime_add_place(fault: BotFault, frames: Sequence[Frame]) -> None:
    """Add to the fault where the bot was, innermost frame last. Without frames, nothing is added."""
    if not frames:
        return
    shown = [
        FrameSummary(file, line, function, lookup_line=False, line=source) for file, line, function, source in frames
    ]
    fault.line = shown[-1].lineno
    where = "".join(StackSummary.from_list(shown[-FRAMES:]).format())
    fault.detail += f"\nWhen its time was up, it was here (most recent call last):\n{where.rstrip()}"
