"""Karteneck positions in one line."""

from typing import Any

from games.catalogue.karteneck.cards import ONE, PORTIONS, WHOLE_DECK, Pile
from games.catalogue.karteneck.fields import KarteneckPhase
from games.catalogue.karteneck.portions import Portions
from games.catalogue.karteneck.position import KarteneckPosition
from games.catalogue.karteneck.rules import KarteneckRules
from games.catalogue.karteneck.table import Cards


def pile(text: str) -> Pile:
    """The cards of "2 2 W7"."""
    return sum(ONE[name] for name in text.split())


def position(
    *seats: str,
    grill: tuple[int, ...] = (),
    stacks: Any = None,
    deck: str | None = None,
    discard: str = "",
    passed: str = "",
    seat: int = 0,
    starter: int = 0,
    last_round: bool = True,
    **options: Any,
) -> KarteneckPosition:
    """Seat ``seat`` is to act. Each of ``seats`` is "hand | display"; ``passed`` has a letter a seat: v, i or anything.

    Without ``deck`` it has all cards that lie nowhere else; without ``last_round`` the reserve has what lies nowhere.
    """
    n = len(seats)
    halves = [one.partition("|") for one in seats]
    hands, displays = tuple(pile(hand) for hand, _, _ in halves), tuple(pile(shown) for _, _, shown in halves)
    thrown = pile(discard)
    left = WHOLE_DECK - sum(hands) - sum(displays) - thrown if deck is None else pile(deck)
    stacks = tuple(stacks or ((),) * n)
    grill = grill or tuple(range(16, 16 + n - passed.count("i")))
    out = [*grill, *(portion for stack in stacks for portion in stack)]
    zeros = out.count(0)
    unseen = sum(
        1 << place for place, value in enumerate(PORTIONS) if (place < 3 - zeros if value == 0 else value not in out)
    )
    rules = KarteneckRules(n, **options)
    return KarteneckPosition(
        rules=rules,
        phase=KarteneckPhase.TURN,
        seat=seat,
        turn=1,
        round=rules.rounds if last_round else 1,
        cards=Cards(hands, displays, left, thrown, (0,) * n),
        portions=Portions(unseen, tuple(sorted(grill)), stacks),
        passed=tuple({"v": "valid", "i": "invalid"}.get(letter, "") for letter in passed.ljust(n)),
        due=0,
        tag=0,
        starter=starter,
        last=None,
        key="",
    )


def play(state: KarteneckPosition, *actions: str) -> KarteneckPosition:
    """Plays legal actions, chance's too: ``play(state, "pass", "draw 3", "draw W7")``."""
    for action in actions:
        state = state.play(state.read(action))
    return state


def drawn(state: KarteneckPosition, *actions: str) -> KarteneckPosition:
    """The same, but whatever is to be drawn is drawn: the first card that there is."""
    for action in actions:
        state = play(state, action)
        while state.phase is KarteneckPhase.DRAW:
            state = state.play(state.actions()[0])
    return state
