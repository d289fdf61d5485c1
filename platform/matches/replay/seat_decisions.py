"""The decisions of a seat in a finished game and the notes of its bot, by the steps of the replay."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from games.explanation import MoveExplanation
from games.record import Record
from games.state import CHANCE


@dataclass(frozen=True, slots=True)
class BotDecision:
    """A decision of one seat.

    ``step`` is the step of the replay after the action. ``before`` and ``after`` are the steps of the seat's previous
    and next decisions, or None. ``played`` is the number of earlier actions of all players. If a house bot decided in
    place of the bot, ``stood_in`` is the verdict on the bot, otherwise "".
    """

    step: int
    before: int | None
    after: int | None
    played: int
    number: int
    count: int
    action: str
    stood_in: str
    view: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """Return the decision as a dictionary for JSON."""
        found = asdict(self)
        del found["played"]
        return found


def seat_decision_at(record: Record, position: int, step: int) -> BotDecision | None:
    """Return the decision at this table position that led to ``step``.

    If no decision led to it, return the last decision before ``step``. If there is none, return the first decision of
    the game. Return None if the seat made no decision.

    Raises:
        RecordError: the record cannot be replayed.
    """
    decisions, played = [], 0
    for n, one in enumerate(record.replay(), 1):
        if one.before.actor == position:
            decisions.append((n, played, one))
        played += one.before.actor != CHANCE
    if not decisions:
        return None
    at = max((at for at, (n, *_) in enumerate(decisions) if n <= step), default=0)
    n, played, found = decisions[at]
    return BotDecision(
        step=n,
        before=decisions[at - 1][0] if at else None,
        after=decisions[at + 1][0] if at + 1 < len(decisions) else None,
        played=played,
        number=at + 1,
        count=len(decisions),
        action=found.action,
        stood_in=found.cause,
        view=found.before.view(position),
    )


def seat_decision_steps(record: Record) -> Sequence[int]:
    """Return the step of the replay that each player's action led to.

    Raises:
        RecordError: the record cannot be replayed.
    """
    return [n for n, step in enumerate(record.replay(), 1) if step.before.actor != CHANCE]


@dataclass(frozen=True, slots=True)
class StepNote:
    """A bot's note on the action that led to ``step`` of the replay. ``seat`` is a match seat."""

    seat: int
    step: int
    explanation: MoveExplanation

    def to_dict(self) -> dict[str, Any]:
        """Return the note as the replay player reads it."""
        return {"seat": self.seat, "step": self.step, **self.explanation._asdict()}


def seat_explanations_by_step(
    steps: Sequence[int], notes: Mapping[int, Iterable[tuple[int, MoveExplanation]]]
) -> list[StepNote]:
    """Return notes in the order of steps.

    ``notes`` has the notes by seat, each with the number of earlier actions of all players.
    """
    found = [
        StepNote(seat, steps[played], explanation)
        for seat, own in notes.items()
        for played, explanation in own
        if played < len(steps)
    ]
    return sorted(found, key=lambda one: one.step)
