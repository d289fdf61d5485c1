"""The words for a bot that took more time than it had."""

from games.protocol import BotFault, Limits, Verdict


def overtime(limits: Limits, verdict: Verdict, used: float, allowed: float, span: str, slept: float) -> BotFault:
    """Return the fault of a bot that used more seconds than ``allowed`` for this ``span``.

    ``slept`` are those of the whole game: where they are most of what the game's bank has lost, sleeping is the fault.
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
