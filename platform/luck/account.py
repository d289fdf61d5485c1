"""What an analysis says of a game, and what it says where there is none."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from luck.shares import UNIT, Shares

POINT: Final = 10**6  # a point of a game, where the luck of a deal is told in them
MARKS: Final = ((UNIT // 10, "blunder"), (UNIT // 20, "mistake"), (UNIT // 50, "slip"))  # lost at least so much


def mark_of(lost: int) -> str:
    """Return the word for a decision that lost so much: 2, 5 and 10 points of a hundred; "" for less."""
    return next((word for least, word in MARKS if lost >= least), "")


@dataclass(frozen=True, slots=True)
class Unanalysed:
    """Why nothing is said of a game. ``code`` is "no_value", "too_little", "options", "turn_cap" or "unfinished".

    ``why`` is an English sentence with places for ``details``.
    """

    code: str
    why: str
    details: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.why % self.details

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {"state": "none", "code": self.code, "why": str(self)}


@dataclass(frozen=True, slots=True)
class Alternative:
    """An action that a seat had. ``facts`` are numbers for a sentence about it; which ones, its game's judge says."""

    action: str
    value: int  # the share that its seat expects after it
    facts: Mapping[str, int] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {"action": self.action, "value": self.value, **self.facts}


@dataclass(frozen=True, slots=True)
class Decision:
    """A seat's choice among ``options``, the best first. ``step`` is the frame that it led to."""

    step: int
    seat: int
    kind: str
    action: str
    options: tuple[Alternative, ...]
    stand_in: bool = False

    @property
    def best(self) -> str:
        """The best action: the one that was played, where several are."""
        most = self.options[0].value
        return self.action if self._value == most else self.options[0].action

    @property
    def lost(self) -> int:
        """The regret: what the best action is worth more than the one that was played."""
        return self.options[0].value - self._value

    @property
    def _value(self) -> int:
        return next(one.value for one in self.options if one.action == self.action)

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "step": self.step,
            "seat": self.seat,
            "kind": self.kind,
            "action": self.action,
            "best": self.best,
            "lost": self.lost,
            "mark": "" if self.stand_in else mark_of(self.lost),
            "stand_in": self.stand_in,
            "options": [one.to_dict() for one in self.options],
        }


@dataclass(frozen=True, slots=True)
class ChanceEvent:
    """What chance showed, and the luck that it was for each seat. ``seat`` rolled or drew; -1 for nobody's."""

    step: int
    seat: int
    luck: Shares

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {"step": self.step, "seat": self.seat, "luck": list(self.luck)}


@dataclass(frozen=True, slots=True)
class Moment:
    """The shares expected once ``seat`` had ended the turn ``turn``, at the frame ``step``."""

    turn: int
    seat: int
    step: int
    shares: Shares

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {"turn": self.turn, "seat": self.seat, "step": self.step, "shares": list(self.shares)}


@dataclass(frozen=True, slots=True)
class GameAccount:
    """A game taken apart, by seat of the table: ``start + luck - lost + theirs + unexplained = final``, exactly.

    ``luck`` is what chance gave, the first of its ``luck_moments``, ``lost`` what a seat's own decisions lost,
    ``theirs`` what the others' decisions gave it. ``unexplained`` is where the value saw a turn otherwise before it and
    in it, and all that concerns a seat after a stand-in took it over. ``final`` is the game's end by its record: what a
    fault costs is the referee's.
    """

    value: str  # the id of the value that all of it is by
    players: int
    shares: tuple[Shares, ...]  # expected at each frame, from frame 0
    events: tuple[ChanceEvent, ...]
    decisions: tuple[Decision, ...]
    turns: tuple[Moment, ...]
    luck_moments: tuple[Shares, ...]
    lost: Shares
    theirs: Shares
    unexplained: Shares
    stopped: tuple[tuple[int, int], ...]  # seats that stand-ins took over, with the frame: not counted from there on

    @property
    def luck(self) -> Shares:
        """What chance gave."""
        return self.luck_moments[0]

    @property
    def start(self) -> Shares:
        """The shares expected before anything happened."""
        return self.shares[0]

    @property
    def final(self) -> Shares:
        """The shares at the end."""
        return self.shares[-1]

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "state": "ready",
            "value": self.value,
            "players": self.players,
            "shares": [list(shares) for shares in self.shares],
            # Beside the shares, whose numbers they repeat: a compressor looks back by 32 kB.
            "turns": [moment.to_dict() for moment in self.turns],
            "rolls": [event.to_dict() for event in self.events],
            "decisions": [decision.to_dict() for decision in self.decisions],
            "start": list(self.start),
            "luck": list(self.luck),
            "luck_moments": [list(moment) for moment in self.luck_moments],
            "lost": list(self.lost),
            "theirs": list(self.theirs),
            "unexplained": list(self.unexplained),
            "final": list(self.final),
            "stopped": [list(one) for one in self.stopped],
        }


@dataclass(frozen=True, slots=True)
class Deal:
    """The cards of a round, all dealt at the frame ``step``: by seat what they were worth, in millionths of a point."""

    step: int
    cards: int
    luck: tuple[int, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {"step": self.step, "cards": self.cards, "luck": list(self.luck)}


@dataclass(frozen=True, slots=True)
class DealtGame:
    """What was dealt in a game, round by round. There is no value of positions, and so no regret and no adjusted
    share."""

    value: str  # the id of the means that were subtracted
    players: int
    deals: tuple[Deal, ...]

    @property
    def luck(self) -> tuple[int, ...]:
        """The sum of all rounds, by seat."""
        return tuple(map(sum, zip(*(deal.luck for deal in self.deals), strict=True)))

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "state": "dealt",
            "value": self.value,
            "players": self.players,
            "deals": [deal.to_dict() for deal in self.deals],
            "luck": list(self.luck),
        }
