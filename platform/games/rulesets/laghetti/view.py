"""What may be seen of a position: the other hands are secret, cards not dealt are nowhere. And the JSON schema."""

from typing import TYPE_CHECKING, Any, Final

from games.rulesets.laghetti.deck import CARDS, FEATURES
from games.rulesets.laghetti.rules import OPTIONS
from games.rulesets.laghetti.sheet import Round, Trick

if TYPE_CHECKING:
    from games.rulesets.laghetti.position import Position

ID: Final = "laghetti/1"


def position_view(position: "Position", seat: int | None) -> dict[str, Any]:
    """The view of ``seat``. The actor -1 is chance, or nobody when the game is over."""
    rules, actor = position.rules, position.actor
    trick = Trick(position.leader, position.feature, position.cards, -1) if position.cards else None
    return {
        "game": ID,
        "options": rules.options(),
        "you": seat,
        "players": rules.players,
        "actor": actor,
        "phase": position.phase.value,
        "turn": position.turn,
        "schedule": list(rules.schedule),
        "round": position.number + 1,
        "cards_each": position.cards_each,
        "dealer": None if position.phase.value == "dealer" else position.dealer,
        "bids": list(position.bids_by_seat()),
        "forbidden": position.forbidden if position.phase.value == "bid" else None,
        "won": list(position.won()),
        "scores": list(position.scores),
        "hands": [list(hand) if seat in (None, owner) else None for owner, hand in enumerate(position.hands)],
        "hand_sizes": [len(hand) for hand in position.hands],
        "trick": _trick_view(position, trick, seat),
        "tricks": [_trick_view(position, one, seat) for one in position.tricks],
        "last_trick": _trick_view(position, position.last, seat),
        "sheet": [_round_view(one) for one in position.sheet],
        "actions": list(position.actions()) if seat == actor and actor >= 0 else [],
    }


def _trick_view(position: "Position", trick: Trick | None, seat: int | None) -> dict[str, Any] | None:
    """With ``reveal`` "value" a seat sees which card it was only of its own."""
    if trick is None:
        return None
    rules, column = position.rules, FEATURES.index(trick.feature)
    players = [(trick.leader + place) % rules.players for place in range(len(trick.cards))]
    shown = rules.reveal == "card" or seat is None
    return {
        "leader": trick.leader,
        "feature": trick.feature,
        "cards": [card if shown or player == seat else None for player, card in zip(players, trick.cards, strict=True)],
        "values": [rules.deck[card][column] for card in trick.cards],
        "winner": None if trick.winner < 0 else trick.winner,
    }


def _round_view(done: Round) -> dict[str, Any]:
    return {"dealer": done.dealer, "bids": list(done.bids), "won": list(done.won), "points": list(done.points)}


def _object(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}]}


def _by_seat(schema: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": schema, "minItems": 3, "maxItems": 4}


def _number(least: int, most: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": least, "maximum": most}


_SEAT: Final = _number(0, 3)
_CARD: Final = _number(0, CARDS - 1)
_COUNT: Final = _number(0, CARDS // 3)
_POINTS: Final = {"type": "integer"}
_HAND: Final = {"type": "array", "items": _CARD, "uniqueItems": True, "maxItems": CARDS // 3}
_TRICK: Final = _object(
    leader=_SEAT,
    feature={"enum": list(FEATURES)},
    cards={"type": "array", "items": _or_null(_CARD), "minItems": 1, "maxItems": 4},
    values={"type": "array", "items": _number(1, CARDS), "minItems": 1, "maxItems": 4},
    winner=_or_null(_SEAT),
)
_ROUND: Final = _object(dealer=_SEAT, bids=_by_seat(_COUNT), won=_by_seat(_COUNT), points=_by_seat(_POINTS))

VIEW_SCHEMA: Final = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "In cammino tra i laghetti, one view",
} | _object(
    game={"const": ID},
    options=_object(**{name: option.schema() for name, option in OPTIONS.items()}),
    you=_or_null(_SEAT),
    players=_number(3, 4),
    actor=_number(-1, 3),
    phase={"enum": ["dealer", "deal", "bid", "lead", "follow", "over"]},
    turn=_number(0, 200),
    schedule={"type": "array", "items": _number(1, CARDS // 3), "minItems": 14, "maxItems": 19},
    round=_number(1, 19),
    cards_each=_number(1, CARDS // 3),
    dealer=_or_null(_SEAT),
    bids=_by_seat(_or_null(_COUNT)),
    forbidden=_or_null(_COUNT),
    won=_by_seat(_COUNT),
    scores=_by_seat(_POINTS),
    hands=_by_seat(_or_null(_HAND)),
    hand_sizes=_by_seat(_COUNT),
    trick=_or_null(_TRICK),
    tricks={"type": "array", "items": _TRICK, "maxItems": CARDS // 3},
    last_trick=_or_null(_TRICK),
    sheet={"type": "array", "items": _ROUND, "maxItems": 19},
    actions={"type": "array", "items": {"type": "string"}, "uniqueItems": True},
)
