"""The options of Karteneck."""

from typing import Any, Final, NamedTuple, Self

from games.catalogue.karteneck.cards import IN_THE_BOX, PORTIONS, WORMS_ON
from games.catalogue.karteneck.portions import FORM
from games.ruleset import NO_OR_YES, START_PLAYER, Option, Options

ID: Final = "karteneck/2"
SEATS: Final = range(min(IN_THE_BOX), max(IN_THE_BOX) + 1)
FIVE, SIX = 5, 6  # numbers of players; no sheet mentions six

PLAYED: Final = {
    "start": START_PLAYER,
    "start_counts_steal": Option(
        False,
        (False, True),
        "A steal decides who starts",
        "The player who took a portion last starts the next round. This option decides whether a stolen portion "
        "counts too. A thief always shares in the menu, which comes after every steal, so only the position within a "
        "round can tell the difference.",
        words=NO_OR_YES,
    ),
    "reshuffle": Option(
        "lazy",
        ("lazy", "eager"),
        "Reshuffling",
        "The discards are shuffled when a card is needed and the deck is empty, or as soon as the last card is drawn.",
        words=("when a card is needed", "as soon as the deck is empty"),
    ),
    "worms": Option(
        list(WORMS_ON),
        (list(WORMS_ON), [20] + [0, 20] * 13 + [1]),
        "Worms on the portions",
        "How many worms each portion is worth. The default goes on with the series of the dice game.",
        FORM,
    ),
}

OPTIONS: Final = {
    "max_players": Option(
        FIVE,
        (FIVE, SIX),
        "Most players",
        "The sheets print the set-up for two, three and four players. The set-up for five follows from the number of "
        "portions. The sheets do not mention six, but the thirty portions last six players for five rounds. Smaller "
        "tables play the same game either way.",
    ),
    **PLAYED,
}


class KarteneckRules(NamedTuple):
    """A table's number of players and the options of PLAYED, in order."""

    players: int
    start: str = "seat0"
    start_counts_steal: bool = False
    reshuffle: str = "lazy"
    worms: tuple[int, ...] = WORMS_ON  # of the different portions, in ascending order

    @classmethod
    def of(cls, players: int, options: Options) -> Self:
        """Create the rules from validated options."""
        played = {name: options[name] for name in PLAYED}
        return cls(players, **{**played, "worms": tuple(options["worms"])})

    @property
    def ruleset(self) -> str:
        """The id of the ruleset. The rules of another version are a subclass that overrides it."""
        return ID

    def options(self) -> dict[str, Any]:
        return {**dict(zip(PLAYED, self[1:], strict=True)), "worms": list(self.worms)}

    @property
    def without_portion(self) -> int:
        """The value that replaces the highest portion of a player without portions: lower than a 0-portion (RULINGS
        K16).
        """
        return -1

    @property
    def rounds(self) -> int:
        """The number of rounds until the reserve is empty: the number of portions that do not stay in the box, divided
        by the number of players.
        """
        in_play = len(PORTIONS) - IN_THE_BOX[self.players]
        return in_play // self.players
