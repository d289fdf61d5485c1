"""What became of a failure that was asked for again, in the same words on the command line and in a browser."""

from dataclasses import dataclass
from typing import Any, Final

from matches.home.again import Again
from matches.home.exit_codes import FAULT, NOT_SO, OK
from matches.home.failure_bundle import FailureBundle

# What browsers translate: arena/site/static/playground/failure.js has the same sentences.
WORDS: Final = {
    "where": "match %(match)s, game %(game)s, seat %(seat)s: %(verdict)s on the site",
    "again": "it happens again, %(turn)s",
    "otherwise": "it fails, but otherwise, %(turn)s",
    "answers": "it does not happen again: the bot answers %(answer)s",
    "starts": "it does not happen again: the bot starts",
    "another": "%(turn)s: on the site it answered %(told)s, here %(answer)s: another game",
    "turn": "turn %(number)s",
    "start": "at the start",
}


@dataclass(frozen=True, slots=True)
class Happened:
    """A word of ``WORDS`` with its values, and the exit code of the command. Turns count from 1: 0 is the start."""

    word: str
    code: int
    turn: int
    told: str = ""
    answer: str = ""

    def __str__(self) -> str:
        turn = WORDS["turn"] % {"number": self.turn} if self.turn else WORDS["start"]
        return WORDS[self.word] % {"turn": turn, "told": repr(self.told), "answer": repr(self.answer)}

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {"word": self.word, "code": self.code, "turn": self.turn, "told": self.told, "answer": self.answer}


def happened(bundle: FailureBundle, found: Again) -> Happened:
    """Return whether the failure of ``bundle`` is what ``found`` found."""
    if found.fault is not None:
        same = found.fault.verdict == bundle.fault["verdict"]
        return Happened("again" if same else "otherwise", FAULT, found.asked)
    if found.turn is None:
        return Happened("starts", OK, found.asked)
    if found.turn.failed:
        return Happened("answers", OK, found.asked, answer=found.answer)
    return Happened("another", NOT_SO, found.asked, told=found.turn.answer, answer=found.answer)


def where(bundle: FailureBundle) -> dict[str, Any]:
    """Return the values of the sentence "where"."""
    told = {"match": bundle.match, "game": bundle.game, "seat": bundle.seated.seat}
    return told | {"verdict": bundle.fault["verdict"]}
