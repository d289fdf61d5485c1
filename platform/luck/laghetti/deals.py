"""The luck of the deal, ``laghetti/1-d1``: the points of a round that one fixed bot in every seat makes of the cards
dealt, less their mean over a million deals of as many cards to as many players.

It is told beside the game and taken off nothing. Over the rotations of a block the same cards come to every bot, and it
cancels out.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from games.catalogue.laghetti.deck import LAKES
from games.catalogue.laghetti.fields import LaghettiPhase
from games.catalogue.laghetti.position import LaghettiPosition
from games.replay import Step
from luck.laghetti.reference import points

POINT: Final = 10**6
RULESET: Final = "laghetti/1"
ID: Final = "laghetti/1-d1"


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
            "value": ID,
            "players": self.players,
            "deals": [deal.to_dict() for deal in self.deals],
            "luck": list(self.luck),
        }


def uncovered(options: Mapping[str, Any]) -> str:
    """Return the name of an option that the means were not made for, or ""."""
    return "" if options["deck"] == [list(card) for card in LAKES] else "deck"


def dealt(steps: Sequence[Step]) -> DealtGame:
    """Tell what was dealt in a finished game."""
    found = []
    for number, step in enumerate(steps, 1):
        old, new = step.before, step.after
        if not isinstance(old, LaghettiPosition) or not isinstance(new, LaghettiPosition):
            raise TypeError(f"no position of the lakes: {type(old).__name__}")
        if old.phase is LaghettiPhase.DEAL and new.phase is LaghettiPhase.BID:
            found.append(Deal(number, new.cards_each, _luck(new)))
    return DealtGame(len(found[0].luck), tuple(found))


def _luck(position: LaghettiPosition) -> tuple[int, ...]:
    players, cards, dealer = position.rules.players, position.cards_each, position.dealer
    made = points(position.hands, dealer, position.rules.deck)
    usual = _means()[str(players)][str(cards)]
    return tuple(POINT * one - usual[(seat - dealer - 1) % players] for seat, one in enumerate(made))


@cache
def _means() -> dict[str, dict[str, list[int]]]:
    found: dict[str, dict[str, list[int]]] = json.loads(files(__package__).joinpath("d1.json").read_text())["means"]
    return found
