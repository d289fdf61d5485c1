"""A bot's explanation of a decision: note, marks and value. An explanation does not change the game and is not in the
record.
"""

from collections.abc import Iterable, Mapping
from math import isfinite
from typing import Any, Final, NamedTuple, Self, TypeAlias

from games.untrusted import untrusted_line

NOTE_MOST: Final = 200  # characters
MARKS_MOST: Final = 16
MARK_MOST: Final = 32  # characters
DIGITS: Final = 4  # decimal digits to which a value is rounded

# What a bot's process sends: the action, or the action with a note, marks and a value; see ``sandbox.inside.entry``.
Answer: TypeAlias = str | tuple[str, str, list[str], float | None]


class MoveExplanation(NamedTuple):
    """A bot's ``note``, the names of the pieces that it ``marks``, and the share of the win that it expects."""

    note: str = ""
    marks: tuple[str, ...] = ()
    value: float | None = None

    @classmethod
    def of(cls, note: str, marks: Iterable[str], value: float | None) -> Self | None:
        """Return a bot's explanation after cutting and cleaning it; None if nothing is left.

        >>> MoveExplanation.of("two\\nlines", ["tile 25", "", "tile 25"], 0.8)
        MoveExplanation(note='two lines', marks=('tile 25',), value=0.8)
        """
        kept = [line for mark, _ in zip(marks, range(MARKS_MOST), strict=False) if (line := _line(mark, MARK_MOST))]
        share = round(value, DIGITS) if value is not None and isfinite(value) and 0 <= value <= 1 else None
        found = cls(_line(note, NOTE_MOST), tuple(dict.fromkeys(kept)), share)
        return found if found != cls() else None

    @property
    def size(self) -> int:
        """The number of bytes that this explanation adds to a limit on all explanations."""
        return 32 + len(self.note.encode()) + sum(8 + len(mark.encode()) for mark in self.marks)


def explanation_parted(answer: Answer) -> tuple[str, MoveExplanation | None]:
    """Return the action in an answer, and its explanation if there is one."""
    if isinstance(answer, str):
        return answer, None
    action, note, marks, value = answer
    return action, MoveExplanation.of(note, marks, value)


def explained_action(answer: str | Mapping[str, Any]) -> str:
    """Return the action in the answer of a house bot that runs in this process.

    Raises:
        ValueError: the answer contains no action.
    """
    action = answer.get("action") if isinstance(answer, Mapping) else answer
    if not isinstance(action, str):
        raise ValueError(f"it answered {answer!r:.80}, which is no action")
    return action


def _line(text: str, most: int) -> str:
    return untrusted_line(" ".join(text[: 4 * most].split())[:most], most)
