"""What a seat sees in In cammino tra i laghetti, as floats; and positions from their facts."""

from functools import lru_cache
from typing import Any, Final

from games.catalogue.laghetti.arrays import ARRAY_RULES
from games.catalogue.laghetti.deck import CARDS, FEATURES
from games.catalogue.laghetti.fields import LaghettiPhase, SheetRound, TrickTaken
from games.catalogue.laghetti.position import LaghettiPosition
from games.catalogue.laghetti.rules import LaghettiRules
from games.in_numbers import InNumbers, Row, around, from_here, one_of, part_of, parts_of, row
from games.ruleset import Options

MOST_CARDS: Final = CARDS // 3  # most cards in a hand
MOST_ROUNDS: Final = 19
PHASES: Final = {phase: one_of(len(LaghettiPhase), place) for place, phase in enumerate(LaghettiPhase)}


def laghetti_observation_layout(players: int, options: Options) -> dict[str, int]:
    return {
        "phase": len(PHASES),
        "actor": players,
        "round": 1,
        "cards_each": 1,
        "dealer": players,
        "bid_made": players,
        "bids": players,
        "won": players,
        "scores": players,  # as a fraction of the points for meeting all bids so far
        "hand_sizes": players,
        "hand": CARDS,
        "played": players * CARDS,  # in the finished tricks of this round
        "last_feature": len(FEATURES),  # of the last finished trick
        "leader": players,
        "feature": len(FEATURES),
        "trick": players * CARDS,
    }


def laghetti_observation_parts(position: LaghettiPosition, seat: int) -> tuple[Row, ...]:
    rules, phase, number, dealer, hands, _, tricks, leader, feature, cards, _, _, scores = position
    players = rules.players
    bids = around(seat, position.bids_by_seat())
    feature = feature if cards else ""  # the position keeps it for a while after the trick
    return (
        PHASES[phase],
        from_here(seat, position.actor, players),
        part_of(MOST_ROUNDS, number + 1),
        part_of(MOST_CARDS, position.cards_each),
        from_here(seat, -1 if phase is LaghettiPhase.DEALER else dealer, players),
        parts_of(1, tuple([bid is not None for bid in bids])),
        parts_of(MOST_CARDS, tuple([bid or 0 for bid in bids])),
        parts_of(MOST_CARDS, around(seat, position.won())),
        parts_of(_most_points(rules.schedule), around(seat, scores)),
        parts_of(MOST_CARDS, tuple(map(len, around(seat, hands)))),
        _cards(hands[seat]),
        _played(seat, players, tricks),
        _FEATURE[tricks[-1].feature if tricks else ""],
        from_here(seat, leader if cards else -1, players),
        _FEATURE[feature],
        _trick(seat, players, leader, cards),
    )


@lru_cache(maxsize=1 << 12)
def _cards(cards: tuple[int, ...]) -> Row:
    return row([card in cards for card in range(CARDS)])


@lru_cache(maxsize=1 << 10)
def _played(seat: int, players: int, tricks: tuple[TrickTaken, ...]) -> Row:
    by_seat: list[list[int]] = [[] for _ in range(players)]
    for leader, _, cards, _ in tricks:
        for place, card in enumerate(cards):
            by_seat[(leader + place - seat) % players].append(card)
    return b"".join([_cards(tuple(sorted(cards))) for cards in by_seat])


@lru_cache(maxsize=1 << 10)
def _trick(seat: int, players: int, leader: int, cards: tuple[int, ...]) -> Row:
    return b"".join(
        [one_of(CARDS, card) for card in around((seat - leader) % players, (*cards, *(-1,) * (players - len(cards))))]
    )


@lru_cache(maxsize=16)
def _most_points(schedule: tuple[int, ...]) -> int:
    return sum(schedule) + len(schedule)


_FEATURE: Final = {"": one_of(len(FEATURES), -1)} | {
    feature: one_of(len(FEATURES), place) for place, feature in enumerate(FEATURES)
}


def laghetti_observation_restore(facts: Any) -> LaghettiPosition:
    rules, phase, number, dealer, hands, bids, tricks, *trick, last, sheet, scores = facts
    taken = tuple([TrickTaken(*one) for one in tricks])
    rounds = tuple([SheetRound(*one) for one in sheet])
    before = (number, dealer, hands, bids, taken, *trick, last and TrickTaken(*last), rounds, scores)
    return LaghettiPosition(LaghettiRules(*rules), LaghettiPhase(phase), *before)


def laghetti_observation_chance_ways(players: int, options: Options) -> int:
    return CARDS


IN_NUMBERS: Final = InNumbers(
    laghetti_observation_layout,
    laghetti_observation_parts,
    laghetti_observation_restore,
    laghetti_observation_chance_ways,
    ARRAY_RULES,
)
