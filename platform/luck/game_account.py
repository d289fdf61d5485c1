"""The result of a luck analysis of a game, or the reason why there is none."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from luck.shares import UNIT, Shares

POINT: Final = 10**6  # a point of the game's own score; the luck of deals is in millionths of it
# The least loss for each word, in 1e-9 shares
MARKS: Final = ((UNIT // 10, "blunder"), (UNIT // 20, "mistake"), (UNIT // 50, "slip"))


def luck_mark(lost: int) -> str:
    """Return the word for a decision that lost ``lost``, in 1e-9 shares; "" if it lost less than 0.02 shares."""
    return next((word for least, word in MARKS if lost >= least), "")


@dataclass(frozen=True, slots=True)
class Unanalysed:
    """The reason why a game is not analysed.

    ``code`` is "no_value", "too_little", "options", "turn_cap" or "unfinished". ``why`` is an English sentence with
    placeholders for ``details``.
    """

    code: str
    why: str
    details: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.why % self.details

    def to_dict(self) -> dict[str, Any]:
        """Return the reason as a JSON object."""
        return {"state": "none", "code": self.code, "why": str(self)}


@dataclass(frozen=True, slots=True)
class Alternative:
    """An action that a seat could choose.

    The judge of the game adds ``facts``: numbers for a sentence about the action.
    """

    action: str
    value: int  # the expected share of the seat after the action, in 1e-9
    facts: Mapping[str, int] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the alternative as a JSON object."""
        return {"action": self.action, "value": self.value, **self.facts}


@dataclass(frozen=True, slots=True)
class Decision:
    """The choice of a seat among ``options``, which are sorted best first. ``step`` is the frame after the choice."""

    step: int
    seat: int
    kind: str
    action: str
    options: tuple[Alternative, ...]
    stand_in: bool = False

    @property
    def best(self) -> str:
        """The best action. If several actions are equally good, the played one if it is among them, else the first."""
        most = self.options[0].value
        return self.action if self._value == most else self.options[0].action

    @property
    def lost(self) -> int:
        """The regret: the value of the best action minus that of the played one."""
        return self.options[0].value - self._value

    @property
    def _value(self) -> int:
        return next(one.value for one in self.options if one.action == self.action)

    def to_dict(self) -> dict[str, Any]:
        """Return the decision as a JSON object."""
        return {
            "step": self.step,
            "seat": self.seat,
            "kind": self.kind,
            "action": self.action,
            "best": self.best,
            "lost": self.lost,
            "mark": "" if self.stand_in else luck_mark(self.lost),
            "stand_in": self.stand_in,
            "options": [one.to_dict() for one in self.options],
        }


@dataclass(frozen=True, slots=True)
class ChanceEvent:
    """A chance event, and its luck for each seat. ``seat`` is the seat that rolled or drew; -1 if none did."""

    step: int
    seat: int
    luck: Shares

    def to_dict(self) -> dict[str, Any]:
        """Return the event as a JSON object."""
        return {"step": self.step, "seat": self.seat, "luck": list(self.luck)}


@dataclass(frozen=True, slots=True)
class Moment:
    """The expected shares after ``seat`` ended the turn ``turn``, at the frame ``step``."""

    turn: int
    seat: int
    step: int
    shares: Shares

    def to_dict(self) -> dict[str, Any]:
        """Return the moment as a JSON object."""
        return {"turn": self.turn, "seat": self.seat, "step": self.step, "shares": list(self.shares)}


@dataclass(frozen=True, slots=True)
class GameAccount:
    """The analysis of a game: ``start + luck - lost + theirs + unexplained = final``, exactly.

    Each term has an integer for each seat of the table, in 1e-9 shares. ``luck`` is the luck of all chance events; it
    is the first of the ``luck_moments``. ``lost`` is the regret of the seat's own decisions. ``theirs`` is what the
    seat gained from the decisions of other seats. ``final`` is the share by the places in the record. These places
    ignore faults: the referee decides what a fault costs.

    ``unexplained`` has two parts. The first is a difference of estimates: the value calculated within a turn for the
    state at its end may differ from the value calculated when the next turn begins at the same state. The second is
    every change of the share of a seat that is no longer counted, because a stand-in plays for the seat or only one bot
    is left.
    """

    value: str  # the id of the value that was used
    players: int
    shares: tuple[Shares, ...]  # expected shares at each frame, from frame 0
    events: tuple[ChanceEvent, ...]
    decisions: tuple[Decision, ...]
    turns: tuple[Moment, ...]
    luck_moments: tuple[Shares, ...]
    lost: Shares
    theirs: Shares
    unexplained: Shares
    # Pairs: a seat that a stand-in took over, and the frame from which the seat is not counted
    stopped: tuple[tuple[int, int], ...]

    @property
    def luck(self) -> Shares:
        """The luck of chance events."""
        return self.luck_moments[0]

    @property
    def start(self) -> Shares:
        """The expected shares at the start."""
        return self.shares[0]

    @property
    def final(self) -> Shares:
        """The shares at the end."""
        return self.shares[-1]

    def to_dict(self) -> dict[str, Any]:
        """Return the analysis as a JSON object."""
        return {
            "state": "ready",
            "value": self.value,
            "players": self.players,
            "shares": [list(shares) for shares in self.shares],
            # Turns repeat numbers of "shares". Compressors find a repetition only within 32 kB, so both are adjacent.
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
    """The cards of a round, dealt at the frame ``step``.

    ``luck`` is the luck of the cards for each seat, in millionths of a point.
    """

    step: int
    cards: int
    luck: tuple[int, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the deal as a JSON object."""
        return {"step": self.step, "cards": self.cards, "luck": list(self.luck)}


@dataclass(frozen=True, slots=True)
class DealtGame:
    """The luck of the deals in a game, by round.

    The game has no value of positions, so decisions have no regret, and results are not adjusted.
    """

    value: str  # the id of the means that were subtracted
    players: int
    deals: tuple[Deal, ...]

    @property
    def luck(self) -> tuple[int, ...]:
        """The luck of all deals together, by seat, in millionths of a point."""
        return tuple(map(sum, zip(*(deal.luck for deal in self.deals), strict=True)))

    def to_dict(self) -> dict[str, Any]:
        """Return the deals as a JSON object."""
        return {
            "state": "dealt",
            "value": self.value,
            "players": self.players,
            "deals": [deal.to_dict() for deal in self.deals],
            "luck": list(self.luck),
        }
