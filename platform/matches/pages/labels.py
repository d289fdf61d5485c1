"""Codes as people read them."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.protocol import Verdict

REASONS: Final[dict[str, Promise]] = {
    "grill_empty": _("the grill was empty"),
    "turn_cap": _("too many turns went by"),
    "reserve_empty": _("all portions were shared out"),
    "rounds_played": _("all rounds were played"),
}
TIE_BREAKS: Final[dict[str, Promise]] = {
    "highest_tile": _("tie broken by the highest tile"),
    "highest_portion": _("tie broken by the highest portion"),
}
VERDICTS: Final[dict[str, Promise]] = {
    Verdict.CRASHED: _("crashed"),
    Verdict.KILLED: _("died by a signal"),
    Verdict.FORBIDDEN_CALL: _("made a forbidden system call"),
    Verdict.EXITED: _("exited"),
    Verdict.CPU_TIME: _("used too much processor time"),
    Verdict.WALL_TIME: _("took too long"),
    Verdict.SLEPT: _("slept"),
    Verdict.OFF_TURN: _("worked while others were to act"),
    Verdict.MEMORY: _("used too much memory"),
    Verdict.MALFORMED: _("sent what cannot be read"),
    Verdict.OVERSIZE: _("sent too much"),
    Verdict.UNSOLICITED: _("spoke out of turn"),
    Verdict.PROTOCOL: _("broke the protocol"),
    Verdict.NOT_READING: _("did not read its messages"),
    Verdict.ILLEGAL_ACTION: _("played an illegal action"),
    Verdict.NO_ENTRY_POINT: _("has neither act nor Bot"),
    Verdict.IMPORT_ERROR: _("could not be imported"),
    Verdict.FORFEITED: _("had forfeited the match"),
}


def word(words: dict[str, Promise], code: str) -> str:
    """The word for ``code``; a code that is newer than its word stands for itself."""
    return str(words.get(code, code.replace("_", " ")))
