"""What may be seen: all but the deck, the portions to come and the hands of others; and the JSON schema of it."""

from collections.abc import Mapping
from typing import Any, Final

from games.catalogue.karteneck import cards as piles
from games.catalogue.karteneck.components import PORTIONS
from games.catalogue.karteneck.fields import KarteneckEnding, KarteneckFields, KarteneckPhase
from games.catalogue.karteneck.meanings import MEANINGS
from games.catalogue.karteneck.portions import VALUES
from games.catalogue.karteneck.rules import PLAYED, SEATS
from games.catalogue.karteneck.score import stack_worms
from games.ruleset import Option
from games.schema import COUNT, for_each_seat, listed, number, or_null, record, seat, view_schema


def visible(at: KarteneckFields, seat: int | None) -> dict[str, Any]:
    """Return what ``seat`` sees of a position, besides what the views of all games have; None sees all hands."""
    rules, cards, portions = at.rules, at.cards, at.portions
    drawing = at.phase in (KarteneckPhase.DRAW, KarteneckPhase.DEAL)
    return {
        "phase": at.phase._value_,
        "turn": at.turn,
        "round": at.round,
        "rounds": rules.rounds,
        "grill": list(portions.grill),
        "stacks": [list(stack) for stack in portions.stacks],
        "worms": [stack_worms(rules, stack) for stack in portions.stacks],
        "hands": [
            piles.names(hand) if seat is None or seat == owner else None for owner, hand in enumerate(cards.hands)
        ],
        "hand_sizes": [piles.size(hand) for hand in cards.hands],
        "displays": [piles.names(display) for display in cards.displays],
        "totals": [piles.total(display) for display in cards.displays],
        "passed": list(at.passed),
        "drawing": at.seat if drawing else None,
        "deck": piles.size(cards.deck),
        "discard": piles.names(cards.discard),
        "next_start": at.starter,
        "last": ending_view(at.last) if at.last else None,
    }


def ending_view(ending: KarteneckEnding) -> dict[str, Any]:
    return {
        "event": ending.event,
        "seat": ending.seat,
        "display": piles.names(ending.cards),
        "total": piles.total(ending.cards),
        "portion": ending.portion,
        "from": ending.victim,
        "menu": [
            {
                "seat": share.seat,
                "portion": share.portion,
                "display": piles.names(share.cards),
                "total": piles.total(share.cards),
                "tag": piles.highest_tag(share.cards),
            }
            for share in ending.menu
        ],
    }


_SEAT: Final = seat(SEATS)
_PORTION: Final = {"enum": list(VALUES)}
_CARDS: Final = listed({"enum": list(piles.ONE)}, 0, piles.DECK_SIZE)
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


def schema_of(ruleset: str, options: Mapping[str, Option]) -> dict[str, Any]:
    """Return the JSON schema of every view of the version with the id ``ruleset``, which has those ``options``."""
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
        deck=number(0, piles.DECK_SIZE),
        discard=_CARDS,
        next_start=_SEAT,
        last=or_null(_LAST),
    )
