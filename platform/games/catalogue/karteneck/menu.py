"""The end of a round: the menu is shared out among those who passed with a worm."""

from typing import NamedTuple

from games.catalogue.karteneck.cards import Pile, highest_tag, total


class Share(NamedTuple):
    """One seat's part of the menu, and the cards that earned it."""

    seat: int
    portion: int
    cards: Pile


def shares(grill: tuple[int, ...], displays: dict[int, Pile]) -> tuple[Share, ...]:
    """Return the shares: the highest total takes the highest portion, and so on; among equals the highest single worm
    tag goes first.

    ``displays``: the valid combinations by seat, as many as there are portions on ``grill``.
    """
    order = sorted(displays, key=lambda seat: (total(displays[seat]), highest_tag(displays[seat])), reverse=True)
    portions = sorted(grill, reverse=True)
    return tuple(Share(seat, portion, displays[seat]) for seat, portion in zip(order, portions, strict=True))
