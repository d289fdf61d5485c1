"""Heckmeck, the anniversary edition: Pickomino with two low tiles, bratworms and six specialists (sheet 001)."""

from games.catalogue.heckmeck.ruleset import HECKMECK

__all__ = ["HECKMECK"]
