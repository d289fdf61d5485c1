"""What became of a failure that was asked for again, in the same words on the command line and in a browser."""

from dataclasses import asdict, dataclass
from typing import Any, Final

from matches.referee.failure_bundle import FailureBundle
from peck.again import Again, Deviation
from peck.exit_codes import FAULT, OK

# What browsers translate: arena/site/static/playground/failure.js has the same sentences.
WORDS: Final = {
    "where": "match %(match)s, game %(game)s, seat %(seat)s, on the site: %(verdict)s",
    "checked": "the check, game %(game)s, seat %(seat)s, on the site: %(verdict)s",
    "again": "it happens again, %(turn)s",
    "otherwise": "it fails, but otherwise, %(turn)s",
    "answers": "it does not happen again: the bot answers %(answer)s",
    "starts": "it does not happen again: the bot starts",
    "deviates": "%(turn)s: on the site it answered %(told)s, here %(answer)s; then it was asked as on the site",
    "turn": "turn %(number)s",
    "start": "at the start",
}


@dataclass(frozen=True, slots=True)
class Happened:
    """A word of ``WORDS`` with its values, and the exit code of the command. Turns count from 1: 0 is the start."""

    word: str
    code: int
    turn: int
    answer: str = ""
    deviation: Deviation | None = None

    def __str__(self) -> str:
        return WORDS[self.word] % {"turn": _turn(self.turn), "answer": repr(self.answer)}

    @property
    def note(self) -> str:
        """What is said of the first answer that was another one than on the site; "" if none was."""
        if self.deviation is None:
            return ""
        turn, told, answer = _turn(self.deviation.turn), repr(self.deviation.told), repr(self.deviation.answer)
        return WORDS["deviates"] % {"turn": turn, "told": told, "answer": answer}

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON."""
        return asdict(self)


def happened(bundle: FailureBundle, found: Again) -> Happened:
    """Return whether the failure of ``bundle`` is what ``found`` found."""
    if found.fault is not None:
        same = found.fault.verdict == bundle.fault["verdict"]
        return Happened("again" if same else "otherwise", FAULT, found.asked, deviation=found.deviation)
    if found.turn is None:
        return Happened("starts", OK, found.asked)
    return Happened("answers", OK, found.asked, found.answer, found.deviation)


def _turn(number: int) -> str:
    return WORDS["turn"] % {"number": number} if number else WORDS["start"]


def place(bundle: FailureBundle) -> str:
    """Return where the failure happened, and how."""
    return WORDS["where" if bundle.match else "checked"] % where(bundle)


def where(bundle: FailureBundle) -> dict[str, Any]:
    """Return the values of the sentence "where", or "checked" where ``match`` is 0."""
    told = {"match": bundle.match, "game": bundle.game, "seat": chr(ord("A") + bundle.seated.seat)}
    return told | {"verdict": bundle.fault["verdict"]}
