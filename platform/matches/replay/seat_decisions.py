"""The decisions of one seat in a finished game, and what its bot said of them, by the frames of the replay."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from games.explanation import MoveExplanation
from games.record import Record
from games.state import CHANCE


@dataclass(frozen=True, slots=True)
class BotDecision:
    """A decision of one seat.

    ``step``: the frame of the replay after the action. ``before``, ``after``: the frames of the previous and the next
    decision of the seat, None if there is none. ``played``: the actions of all players before it. ``stood_in``: the
    verdict on the bot if a house bot decided in its place, otherwise "".
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
        """Return it as JSON."""
        found = asdict(self)
        del found["played"]
        return found


def seat_decision_at(record: Record, position: int, step: int) -> BotDecision | None:
    """Return the decision at this table position that led to ``step``. If none did, return the last one before it;
    without one, return the first of the game. None if there is none at all.

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
    """Return the frame that each player's action led to.

    Raises:
        RecordError: the record cannot be replayed.
    """
    return [n for n, step in enumerate(record.replay(), 1) if step.before.actor != CHANCE]


@dataclass(frozen=True, slots=True)
class StepNote:
    """What the bot of a match ``seat`` says of the action that led to the frame ``step`` of the replay."""

    seat: int
    step: int
    said: MoveExplanation

    def to_dict(self) -> dict[str, Any]:
        """Return it as the replay player reads it."""
        return {"seat": self.seat, "step": self.step, **self.said._asdict()}


def seat_explanations_by_step(
    steps: Sequence[int], notes: Mapping[int, Iterable[tuple[int, MoveExplanation]]]
) -> list[StepNote]:
    """Return in the order of the steps what bots say by seat, each with the number of actions before."""
    found = [
        StepNote(seat, steps[played], said)
        for seat, own in notes.items()
        for played, said in own
        if played < len(steps)
    ]
    return sorted(found, key=lambda one: one.step)
