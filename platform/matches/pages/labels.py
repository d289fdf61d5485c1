"""Labels for codes, in the reader's language."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.catalogue import GAMES
from games.protocol import Verdict

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


def verdict_label(code: str) -> str:
    """Return a verdict as people read it; one that is newer than its words stands for itself."""
    return str(VERDICTS.get(code, _plain(code)))


def game_label(game: str) -> str:
    """Return what the game of that name, or of a ruleset's id, is called."""
    return gettext(GAMES[game.partition("/")[0]].title)


def reason_label(ruleset: str, code: str) -> str:
    """Return why a game of the ruleset with that id ended; a code without words stands for itself."""
    words = GAMES[ruleset.partition("/")[0]].reasons.get(code)
    return gettext(words) if words else _plain(code)


def tie_break_label(ruleset: str, code: str) -> str:
    """Return what separated seats with equal points in a game of the ruleset with that id, or ""."""
    words = GAMES[ruleset.partition("/")[0]].tie_breaks.get(code)
    return gettext(words) if words else _plain(code)


def _plain(code: str) -> str:
    return code.replace("_", " ")
