"""Explanations of verdicts for authors, with advice."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bots.translation import gettext
from bots.translation import gettext_noop as _
from games.protocol import Verdict


@dataclass(frozen=True, slots=True)
class Explanation:
    """A sentence about what happened, and a sentence about what to do."""

    title: str
    advice: str


EXPLANATIONS: Final[Mapping[str, Explanation]] = {
    Verdict.CRASHED: Explanation(
        _("The bot raised an exception."),
        _("Look at the line below with the view it was given, and handle that position."),
    ),
    Verdict.KILLED: Explanation(
        _("The bot's process was killed by a signal."),
        _("Native code crashed: very deep recursion or memory misuse are the usual causes."),
    ),
    Verdict.FORBIDDEN_CALL: Explanation(
        _("The bot asked the operating system for something that bots may not do."),
        _("Threads, processes, sockets and files are closed to bots. Remove the call."),
    ),
    Verdict.EXITED: Explanation(
        _("The bot ended its own process."),
        _("Do not call exit: return an action each time act is called."),
    ),
    Verdict.CPU_TIME: Explanation(
        _("The bot used more processor time than it may."),
        _("Make it think less, or watch time.process_time() and answer with the best action so far."),
    ),
    Verdict.WALL_TIME: Explanation(
        _("The bot took too long to answer."),
        _("Make it think less, and remove waits."),
    ),
    Verdict.SLEPT: Explanation(
        _("The bot slept instead of computing."),
        _("Remove sleeps and waits: waiting counts like processor time."),
    ),
    Verdict.OFF_TURN: Explanation(
        _("The bot used the processor while it was not its turn."),
        _("Compute inside act only."),
    ),
    Verdict.MEMORY: Explanation(
        _("The bot used more memory than it may."),
        _("Keep smaller tables, and do not let them grow from turn to turn."),
    ),
    Verdict.MALFORMED: Explanation(
        _("The bot's answer was not text."),
        _("act must return one of the strings in view['actions']."),
    ),
    Verdict.OVERSIZE: Explanation(
        _("The bot's answer was too long."),
        _("act must return one of the strings in view['actions'], nothing more."),
    ),
    Verdict.UNSOLICITED: Explanation(
        _("The bot sent something without being asked."),
        _("Leave file descriptors alone: the return value of act is the only answer."),
    ),
    Verdict.PROTOCOL: Explanation(
        _("The bot violated the protocol between it and the referee."),
        _("Leave file descriptors alone: the return value of act is the only answer."),
    ),
    Verdict.NOT_READING: Explanation(
        _("The bot stopped reading its messages."),
        _("Leave file descriptors alone, and let act return each time."),
    ),
    Verdict.ILLEGAL_ACTION: Explanation(
        _("The bot chose an action that the rules do not allow there."),
        _("Return one of the strings in view['actions'], exactly as it is written there."),
    ),
    Verdict.NO_ENTRY_POINT: Explanation(
        _("The bot has neither a function act(view) nor a class Bot."),
        _("Define one of them at module level in bot.py."),
    ),
    Verdict.IMPORT_ERROR: Explanation(
        _("The bot could not be imported."),
        _("Only the standard library, numpy and your own files are there. Correct the line below."),
    ),
    Verdict.FORFEITED: Explanation(
        _("The bot had forfeited the match by its faults in earlier games."),
        _("See the faults before this one, and correct those."),
    ),
}
UNKNOWN: Final = Explanation(_("The bot failed its check."), _("See the details below."))

STAGES: Final[Mapping[str, str]] = {
    "start": _("while it was being started"),
    "mirror": _("while it played against itself"),
    "house": _("while it played against a house bot"),
}


def bot_verdict_explanation(verdict: str) -> Explanation:
    """Return the explanation of a verdict's value in the reader's language."""
    found = EXPLANATIONS.get(verdict, UNKNOWN)
    return Explanation(gettext(found.title), gettext(found.advice))


def verdict_stage_label(stage: str) -> str:
    """Return the stage of the check in which a bot failed, in the reader's language; "" for a match."""
    return gettext(STAGES[stage]) if stage in STAGES else ""
