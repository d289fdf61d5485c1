"""Heckmeck am Bratwurmeck, known in English as Pickomino: eight dice, sixteen tiles of grilled worms (sheet 004)."""

from games.catalogue.pickomino.ruleset import PICKOMINO

__all__ = ["PICKOMINO"]
