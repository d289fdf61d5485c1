"""The view of a position and its JSON schema. Other hands are hidden, and cards not dealt appear nowhere."""

from collections.abc import Mapping
from typing import Any, Final

from games.catalogue.laghetti.deck import CARDS, FEATURES
from games.catalogue.laghetti.fields import LaghettiFields, LaghettiPhase, SheetRound, TrickTaken
from games.catalogue.laghetti.rules import SEATS
from games.ruleset import Option
from games.schema import for_each_seat, number, or_null, record, seat, view_schema

OF_A_TRICK: Final[Mapping[str, str]] = {
    "leader": "the seat that led",
    "feature": "the feature that the leader named",
    "cards": "the cards played, from the leader on; null for those that you are not told",
    "values": "what each of them shows in that feature",
    "winner": "the seat that won the trick; null while it is played",
}
MEANINGS: Final[Mapping[str, str]] = {
    "phase": "bid, lead a trick, or follow; in dealer and deal, chance acts",
    "turn": "turns played so far, this one included: a dealing with its bids is one, and so is each trick",
    "schedule": "how many cards each player is dealt, round by round",
    "round": "the round, from 1",
    "cards_each": "how many cards each player was dealt in this round",
    "dealer": "the seat that deals and bids last; null before it is drawn",
    "bids": "the tricks that each seat has bid; null where it has not yet",
    "forbidden": "what the dealer may not bid, because all bids would come true; null when nothing is forbidden",
    "won": "the tricks that each seat has won in this round",
    "scores": "the points of each seat",
    "hands": "the cards in each hand; null for those that you may not see",
    "hand_sizes": "how many cards each hand has",
    "trick": "the trick that is being played, or null",
    "tricks": "the finished tricks of this round",
    "last_trick": "the last trick that was finished, in this round or the one before; null before the first",
    **{f"{place}.{key}": text for place in ("trick", "tricks[]", "last_trick") for key, text in OF_A_TRICK.items()},
    "sheet": "the finished rounds",
    "sheet[].dealer": "the seat that dealt",
    "sheet[].bids": "what each seat bid",
    "sheet[].won": "the tricks that each seat won",
    "sheet[].points": "the points that each seat got",
}


def laghetti_view_visible(position: LaghettiFields, seat: int | None) -> dict[str, Any]:
    """Return the game's own part of ``seat``'s view; None sees all hands."""
    rules = position.rules
    trick = TrickTaken(position.leader, position.feature, position.cards, -1) if position.cards else None
    return {
        "phase": position.phase._value_,
        "turn": position.turn,
        "schedule": list(rules.schedule),
        "round": position.number + 1,
        "cards_each": position.cards_each,
        "dealer": None if position.phase is LaghettiPhase.DEALER else position.dealer,
        "bids": list(position.bids_by_seat()),
        "forbidden": position.forbidden if position.phase is LaghettiPhase.BID else None,
        "won": list(position.won()),
        "scores": list(position.scores),
        "hands": [list(hand) if seat is None or seat == owner else None for owner, hand in enumerate(position.hands)],
        "hand_sizes": [len(hand) for hand in position.hands],
        "trick": _trick_view(position, trick, seat),
        "tricks": [_trick_view(position, one, seat) for one in position.tricks],
        "last_trick": _trick_view(position, position.last, seat),
        "sheet": [_round_view(one) for one in position.sheet],
    }


def _trick_view(position: LaghettiFields, trick: TrickTaken | None, seat: int | None) -> dict[str, Any] | None:
    """Return a trick as ``seat`` sees it. With ``reveal`` "value", it sees only its own card, and the values of the
    others.
    """
    if trick is None:
        return None
    leader, feature, cards, winner = trick
    rules, column = position.rules, FEATURES.index(feature)
    shown: list[int | None] = [*cards]
    if rules.reveal == "value" and seat is not None:
        own = (seat - leader) % rules.players  # its index in the trick
        shown = [card if place == own else None for place, card in enumerate(cards)]
    deck = rules.deck
    return {
        "leader": leader,
        "feature": feature,
        "cards": shown,
        "values": [deck[card][column] for card in cards],
        "winner": None if winner < 0 else winner,
    }


def _round_view(done: SheetRound) -> dict[str, Any]:
    return {"dealer": done.dealer, "bids": [*done.bids], "won": [*done.won], "points": [*done.points]}


_SEAT: Final = seat(SEATS)
_CARD: Final = number(0, CARDS - 1)
_COUNT: Final = number(0, CARDS // 3)
_POINTS: Final = {"type": "integer"}
_HAND: Final = {"type": "array", "items": _CARD, "uniqueItems": True, "maxItems": CARDS // 3}
_TRICK: Final = record(
    leader=_SEAT,
    feature={"enum": list(FEATURES)},
    cards={"type": "array", "items": or_null(_CARD), "minItems": 1, "maxItems": 4},
    values={"type": "array", "items": number(1, CARDS), "minItems": 1, "maxItems": 4},
    winner=or_null(_SEAT),
)
_ROUND: Final = record(
    dealer=_SEAT,
    bids=for_each_seat(_COUNT, SEATS),
    won=for_each_seat(_COUNT, SEATS),
    points=for_each_seat(_POINTS, SEATS),
)


def laghetti_view_schema_of(ruleset: str, options: Mapping[str, Option]) -> dict[str, Any]:
    """Return the JSON schema of every view of the ruleset with the id ``ruleset`` and these ``options``."""
    return view_schema(
        "In cammino tra i laghetti",
        ruleset,
        options,
        SEATS,
        MEANINGS,
        phase={"enum": [phase.value for phase in LaghettiPhase]},
        turn=number(0, 200),
        schedule={"type": "array", "items": number(1, CARDS // 3), "minItems": 14, "maxItems": 19},
        round=number(1, 19),
        cards_each=number(1, CARDS // 3),
        dealer=or_null(_SEAT),
        bids=for_each_seat(or_null(_COUNT), SEATS),
        forbidden=or_null(_COUNT),
        won=for_each_seat(_COUNT, SEATS),
        scores=for_each_seat(_POINTS, SEATS),
        hands=for_each_seat(or_null(_HAND), SEATS),
        hand_sizes=for_each_seat(_COUNT, SEATS),
        trick=or_null(_TRICK),
        tricks={"type": "array", "items": _TRICK, "maxItems": CARDS // 3},
        last_trick=or_null(_TRICK),
        sheet={"type": "array", "items": _ROUND, "maxItems": 19},
    )
