"""The view of a Karteneck position and its JSON schema. The deck, future portions and other hands are hidden."""

from collections.abc import Mapping
from typing import Any, Final

from games.catalogue.karteneck.cards import (
    DECK_SIZE,
    ONE,
    PORTIONS,
    cards_highest_tag,
    cards_names,
    cards_size,
    cards_total,
)
from games.catalogue.karteneck.fields import (
    KarteneckEnding,
    KarteneckFields,
    KarteneckPhase,
    karteneck_fields_stack_worms,
)
from games.catalogue.karteneck.portions import VALUES
from games.catalogue.karteneck.rules import PLAYED, SEATS
from games.ruleset import Option
from games.schema import COUNT, for_each_seat, listed, number, or_null, record, seat, view_schema

MEANINGS: Final[Mapping[str, str]] = {
    "phase": "turn: the player plays or passes; worms: the player plays another worm or stops;"
    " draw, deal, reveal and start: chance acts",
    "turn": "turns played so far, this one included",
    "round": "the round, from 1",
    "rounds": "how many rounds the game has",
    "grill": "portions lying face up, the lowest first",
    "stacks": "the portions of each seat, the top one last: only that one can be stolen",
    "worms": "the worms of each seat, as they count at the end",
    "hands": "the cards in each hand; null for those that you may not see",
    "hand_sizes": "how many cards each hand has",
    "displays": "the cards that each seat has played in this round",
    "totals": "what the display of each seat is worth",
    "passed": "whether each seat has passed: valid with a worm, invalid without one, empty if it has not",
    "drawing": "the seat that draws cards or is dealt some, or null",
    "deck": "how many cards are left to draw",
    "discard": "the cards that were put away",
    "next_start": "the seat that would begin the next round if it were dealt now",
    "last": "how the last pass went; null before the first",
    "last.event": "pass: with a worm; steal: with a worm, and a portion was stolen; bust: without a worm",
    "last.seat": "who passed",
    "last.display": "the cards in the display at that moment",
    "last.total": "what they were worth",
    "last.portion": "the portion that the seat got when it passed, or null",
    "last.from": "the seat it was stolen from, or null",
    "last.menu": "how the grill was shared out after the last pass of a round, the highest total first; else empty",
    "last.menu[].seat": "who got a portion",
    "last.menu[].portion": "which one",
    "last.menu[].display": "by which cards",
    "last.menu[].total": "what they were worth",
    "last.menu[].tag": "the highest number on a worm among them, which decides ties",
}


def karteneck_view_visible(at: KarteneckFields, seat: int | None) -> dict[str, Any]:
    """Return the game's own part of ``seat``'s view; None sees all hands."""
    rules, cards, portions = at.rules, at.cards, at.portions
    drawing = at.phase in (KarteneckPhase.DRAW, KarteneckPhase.DEAL)
    return {
        "phase": at.phase._value_,
        "turn": at.turn,
        "round": at.round,
        "rounds": rules.rounds,
        "grill": list(portions.grill),
        "stacks": [list(stack) for stack in portions.stacks],
        "worms": [karteneck_fields_stack_worms(rules, stack) for stack in portions.stacks],
        "hands": [
            cards_names(hand) if seat is None or seat == owner else None for owner, hand in enumerate(cards.hands)
        ],
        "hand_sizes": [cards_size(hand) for hand in cards.hands],
        "displays": [cards_names(display) for display in cards.displays],
        "totals": [cards_total(display) for display in cards.displays],
        "passed": list(at.passed),
        "drawing": at.seat if drawing else None,
        "deck": cards_size(cards.deck),
        "discard": cards_names(cards.discard),
        "next_start": at.starter,
        "last": karteneck_view_ending(at.last) if at.last else None,
    }


def karteneck_view_ending(ending: KarteneckEnding) -> dict[str, Any]:
    return {
        "event": ending.event,
        "seat": ending.seat,
        "display": cards_names(ending.cards),
        "total": cards_total(ending.cards),
        "portion": ending.portion,
        "from": ending.victim,
        "menu": [
            {
                "seat": share.seat,
                "portion": share.portion,
                "display": cards_names(share.cards),
                "total": cards_total(share.cards),
                "tag": cards_highest_tag(share.cards),
            }
            for share in ending.menu
        ],
    }


_SEAT: Final = seat(SEATS)
_PORTION: Final = {"enum": list(VALUES)}
_CARDS: Final = listed({"enum": list(ONE)}, 0, DECK_SIZE)
_SHARE: Final = record(seat=_SEAT, portion=_PORTION, display=_CARDS, total=COUNT, tag=COUNT)
_LAST: Final = record(
    **{
        "event": {"enum": ["pass", "steal", "bust"]},
        "seat": _SEAT,
        "display": _CARDS,
        "total": COUNT,
        "portion": or_null(_PORTION),
        "from": or_null(_SEAT),
        "menu": listed(_SHARE, 0, SEATS[-1]),
    }
)


def karteneck_view_schema_of(ruleset: str, options: Mapping[str, Option]) -> dict[str, Any]:
    """Return the JSON schema of every view of the ruleset with the id ``ruleset`` and these ``options``."""
    return view_schema(
        "Heckmeck am Karteneck",
        ruleset,
        PLAYED,
        SEATS,
        MEANINGS,
        phase={"enum": [phase.value for phase in KarteneckPhase]},
        turn=COUNT,
        round=number(1, 9),
        rounds=number(5, 9),
        grill=listed(_PORTION, 0, SEATS[-1]),
        stacks=for_each_seat(listed(_PORTION, 0, len(PORTIONS)), SEATS),
        worms=for_each_seat(COUNT, SEATS),
        hands=for_each_seat(or_null(_CARDS), SEATS),
        hand_sizes=for_each_seat(COUNT, SEATS),
        displays=for_each_seat(_CARDS, SEATS),
        totals=for_each_seat(COUNT, SEATS),
        passed=for_each_seat({"enum": ["", "valid", "invalid"]}, SEATS),
        drawing=or_null(_SEAT),
        deck=number(0, DECK_SIZE),
        discard=_CARDS,
        next_start=_SEAT,
        last=or_null(_LAST),
    )
