"""The options of In cammino tra i laghetti, and the number of cards in each round."""

from functools import cache
from typing import Any, Final, NamedTuple

from games.catalogue.laghetti.deck import CARDS, DECK_FORM, LAKES, Deck
from games.ruleset import Option

ID: Final = "laghetti/1"
SEATS: Final = range(3, 5)
FULL_ROUNDS: Final = 4  # rounds with the most cards, for four players

FULL_ROUNDS_3P: Final = (5, 3)
FEATURE_REPEAT: Final = ("free", "not_previous")
REVEAL: Final = ("card", "value")
FIRST_DEALER: Final = ("seat0", "random")
_LAKES: Final = [list(card) for card in LAKES]

OPTIONS: Final = {
    "full_rounds_3p": Option(
        5,
        FULL_ROUNDS_3P,
        "Full rounds of three",
        "With three players: five rounds of eight cards, for the 19 rounds that the sheet counts, or three, as its "
        "text describes, for 17. Four players have four rounds of six cards and 14 rounds in all.",
    ),
    "feature_repeat": Option(
        "free",
        FEATURE_REPEAT,
        "Feature named again",
        "Whether the leader may name any feature, or not the one of the trick before in the same round.",
        words=("as often as you like", "not twice running"),
    ),
    "reveal": Option(
        "card",
        REVEAL,
        "What others see",
        "Cards are played face up, or only the value in the named feature is told. A player who knows the deck by "
        "heart learns as much either way.",
        words=("the card", "its value alone"),
    ),
    "first_dealer": Option(
        "seat0",
        FIRST_DEALER,
        "First dealer",
        "The first seat, or one drawn by lot.",
        words=("the first seat", "drawn by lot"),
    ),
    "deck": Option(
        _LAKES,
        (_LAKES, [[value, (value + 11) % CARDS + 1, CARDS + 1 - value, value] for value in range(1, CARDS + 1)]),
        "Deck of lakes",
        "The values on the cards. The default deck is invented: those of the printed cards are not known.",
        DECK_FORM,
    ),
}


class LaghettiRules(NamedTuple):
    """A table's number of players and options. The fields other than ``players`` are the options, in order."""

    players: int
    full_rounds_3p: int = 5
    feature_repeat: str = "free"
    reveal: str = "card"
    first_dealer: str = "seat0"
    deck: Deck = LAKES

    @property
    def schedule(self) -> tuple[int, ...]:
        """How many cards each player is dealt, for each round."""
        return laghetti_rules_schedule(self.players, self.full_rounds_3p)

    def dealt(self, rounds: int) -> int:
        """Return how many cards each player is dealt in the first ``rounds`` rounds together."""
        return laghetti_rules_dealt(self.players, self.full_rounds_3p, rounds)

    @property
    def ruleset(self) -> str:
        """The id of the ruleset. The rules of another version are a subclass that overrides it."""
        return ID

    def options(self) -> dict[str, Any]:
        return {**dict(zip(OPTIONS, self[1:], strict=True)), "deck": [list(card) for card in self.deck]}


@cache
def laghetti_rules_schedule(players: int, full_rounds_3p: int) -> tuple[int, ...]:
    """Return the cards of each round: 1, 2, ... up to the maximum, then full rounds, then down to 1."""
    full_rounds = FULL_ROUNDS if players == 4 else full_rounds_3p
    most = CARDS // players
    return (*range(1, most), *(most,) * full_rounds, *range(most - 1, 0, -1))


@cache
def laghetti_rules_dealt(players: int, full_rounds_3p: int, rounds: int) -> int:
    """Return how many cards each player is dealt in the first ``rounds`` rounds together."""
    return sum(laghetti_rules_schedule(players, full_rounds_3p)[:rounds])
