"""What a seat sees in Karteneck, as floats; and positions from their facts."""

from functools import lru_cache
from typing import Any, Final

from games.catalogue.karteneck.array_view import ARRAY_RULES
from games.catalogue.karteneck.cards import (
    CARDS_EACH,
    DECK_SIZE,
    MANY,
    NUMBERS,
    PORTIONS,
    TAGS,
    WIDTH,
    Pile,
    cards_size,
    cards_worms,
)
from games.catalogue.karteneck.fields import KarteneckPhase, karteneck_fields_stack_worms
from games.catalogue.karteneck.portions import VALUES, Portions
from games.catalogue.karteneck.position import KarteneckPosition
from games.catalogue.karteneck.rules import KarteneckRules
from games.catalogue.karteneck.table import Cards
from games.in_numbers import InNumbers, Row, around, from_here, one_of, part_of, parts_of, places_of, row
from games.ruleset import Options

PILE: Final = len(NUMBERS) + len(TAGS)
PHASES: Final = {phase: one_of(len(KarteneckPhase), place) for place, phase in enumerate(KarteneckPhase)}
PASSED: Final = {status: one_of(2, place) for status, place in (("", -1), ("valid", 0), ("invalid", 1))}


def karteneck_observation_layout(players: int, options: Options) -> dict[str, int]:
    return {
        "phase": len(PHASES),
        "actor": players,
        "round": 1,
        "grill": len(PORTIONS),  # equal portions one by one, as in the stacks
        "stacks": players * len(PORTIONS),
        "worms": players,
        "hand": PILE,  # the counts of 1 to 5, then each worm; so are all piles
        "hand_sizes": players,
        "displays": players * PILE,
        "passed": players * 2,  # with a worm, without a worm
        "drawing": players,
        "deck": 1,
        "discard": PILE,
        "next_start": players,
    }


def karteneck_observation_parts(at: KarteneckPosition, seat: int) -> tuple[Row, ...]:
    rules, phase, drawer, _, number, cards, portions, passed, _, _, starter, _, _ = at
    hands, displays, deck, discard, _ = cards
    players = rules.players
    drawing = phase is KarteneckPhase.DRAW or phase is KarteneckPhase.DEAL
    return (
        PHASES[phase],
        from_here(seat, at.actor, players),
        part_of(rules.rounds, number),
        places_of(PORTIONS, portions.grill),
        _stacks(rules, around(seat, portions.stacks)),
        _pile(hands[seat]),
        parts_of(DECK_SIZE, tuple(map(cards_size, around(seat, hands)))),
        *map(_pile, around(seat, displays)),
        *[PASSED[status] for status in around(seat, passed)],
        from_here(seat, drawer if drawing else -1, players),
        part_of(DECK_SIZE, cards_size(deck)),
        _pile(discard),
        from_here(seat, starter, players),
    )


@lru_cache(maxsize=1 << 10)  # stacks change only when a seat passes
def _stacks(rules: KarteneckRules, stacks: tuple[tuple[int, ...], ...]) -> Row:
    """Return the stacks, followed by the worms on each."""
    worms = tuple([karteneck_fields_stack_worms(rules, stack) for stack in stacks])
    return b"".join([places_of(PORTIONS, stack) for stack in stacks]) + parts_of(_all_worms(rules), worms)


@lru_cache(maxsize=1 << 12)
def _pile(pile: Pile) -> Row:
    numbers = [_COUNTS[pile >> WIDTH * place & MANY] for place in range(len(NUMBERS))]
    worms = cards_worms(pile)
    return b"".join(numbers + [_FIVE[worms >> shift & 31] for shift in range(0, len(TAGS), 5)])


_COUNTS: Final = [row([count / CARDS_EACH]) for count in range(MANY + 1)]
_FIVE: Final = [row([five >> place & 1 for place in range(5)]) for five in range(32)]  # five tags at a time


@lru_cache(maxsize=16)
def _all_worms(rules: KarteneckRules) -> int:
    return max(1, sum(rules.worms[VALUES.index(portion)] for portion in PORTIONS))


def karteneck_observation_restore(facts: Any, kind: type[KarteneckRules] = KarteneckRules) -> KarteneckPosition:
    """Return the position with these facts. ``kind`` is the class of the version's rules."""
    rules, phase, seat, turn, number, cards, portions, passed, due, tag, starter = facts
    table = (Cards(*cards), Portions(*portions), passed, due, tag, starter, None, "")
    return KarteneckPosition(kind(*rules), KarteneckPhase(phase), seat, turn, number, *table)


def karteneck_observation_chance_ways(players: int, options: Options) -> int:
    return max(PILE, len(VALUES))


IN_NUMBERS: Final = InNumbers(
    karteneck_observation_layout,
    karteneck_observation_parts,
    karteneck_observation_restore,
    karteneck_observation_chance_ways,
    ARRAY_RULES,
)
