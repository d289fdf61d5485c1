"""Heckmeck am Karteneck: 110 cards, 30 portions of grilled worms, a menu that is shared out (sheets 000 and 002)."""

from games.catalogue.karteneck.ruleset import KARTENECK

__all__ = ["KARTENECK"]
