"""What may be seen: all but the deck, the portions to come and the hands of others; and the JSON schema of it."""

from typing import Any, Final

from games.rulesets.karteneck import cards as piles
from games.rulesets.karteneck.components import PORTIONS
from games.rulesets.karteneck.fields import Ending, Fields, Phase
from games.rulesets.karteneck.portions import VALUES
from games.rulesets.karteneck.rules import OPTIONS
from games.rulesets.karteneck.score import stack_worms

ID: Final = "karteneck/1"


def position_view(at: Fields, seat: int | None, actions: list[str]) -> dict[str, Any]:
    """The view of ``seat``, whose legal actions are ``actions``; None sees all hands."""
    rules, cards, portions = at.rules, at.cards, at.portions
    drawing = at.phase in (Phase.DRAW, Phase.DEAL)
    return {
        "game": ID,
        "options": rules.options(),
        "you": seat,
        "players": rules.players,
        "actor": at.seat if at.phase in (Phase.TURN, Phase.WORMS) else -1,
        "phase": at.phase.value,
        "turn": at.turn,
        "round": at.round,
        "rounds": rules.rounds,
        "grill": list(portions.grill),
        "stacks": [list(stack) for stack in portions.stacks],
        "worms": [stack_worms(rules, stack) for stack in portions.stacks],
        "hands": [piles.names(hand) if seat in (None, owner) else None for owner, hand in enumerate(cards.hands)],
        "hand_sizes": [piles.size(hand) for hand in cards.hands],
        "displays": [piles.names(display) for display in cards.displays],
        "totals": [piles.total(display) for display in cards.displays],
        "passed": list(at.passed),
        "drawing": at.seat if drawing else None,
        "deck": piles.size(cards.deck),
        "discard": piles.names(cards.discard),
        "next_start": at.starter,
        "last": ending_view(at.last) if at.last else None,
        "actions": actions,
    }


def ending_view(ending: Ending) -> dict[str, Any]:
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


def _object(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(items: Any, least: int = 0, most: int | None = None) -> dict[str, Any]:
    return {"type": "array", "items": items, "minItems": least} | ({} if most is None else {"maxItems": most})


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}]}


def _a_seat_each(items: Any) -> dict[str, Any]:
    return _list(items, 2, 5)


_SEAT: Final = {"type": "integer", "minimum": 0, "maximum": 4}
_COUNT: Final = {"type": "integer", "minimum": 0}
_PORTION: Final = {"enum": list(VALUES)}
_CARDS: Final = _list({"enum": list(piles.ONE)}, 0, piles.DECK_SIZE)
_SHARE: Final = _object(seat=_SEAT, portion=_PORTION, display=_CARDS, total=_COUNT, tag=_COUNT)
_LAST: Final = _object(
    **{
        "event": {"enum": ["pass", "steal", "bust"]},
        "seat": _SEAT,
        "display": _CARDS,
        "total": _COUNT,
        "portion": _or_null(_PORTION),
        "from": _or_null(_SEAT),
        "menu": _list(_SHARE, 0, 5),
    }
)

VIEW_SCHEMA: Final = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Heckmeck am Karteneck, one view",
} | _object(
    game={"const": ID},
    options=_object(**{name: option.schema() for name, option in OPTIONS.items()}),
    you=_or_null(_SEAT),
    players={"type": "integer", "minimum": 2, "maximum": 5},
    actor={"type": "integer", "minimum": -1, "maximum": 4},
    phase={"enum": [phase.value for phase in Phase]},
    turn=_COUNT,
    round={"type": "integer", "minimum": 1, "maximum": 9},
    rounds={"type": "integer", "minimum": 6, "maximum": 9},
    grill=_list(_PORTION, 0, 5),
    stacks=_a_seat_each(_list(_PORTION, 0, len(PORTIONS))),
    worms=_a_seat_each(_COUNT),
    hands=_a_seat_each(_or_null(_CARDS)),
    hand_sizes=_a_seat_each(_COUNT),
    displays=_a_seat_each(_CARDS),
    totals=_a_seat_each(_COUNT),
    passed=_a_seat_each({"enum": ["", "valid", "invalid"]}),
    drawing=_or_null(_SEAT),
    deck={"type": "integer", "minimum": 0, "maximum": piles.DECK_SIZE},
    discard=_CARDS,
    next_start=_SEAT,
    last=_or_null(_LAST),
    actions={"type": "array", "items": {"type": "string"}, "uniqueItems": True},
)
