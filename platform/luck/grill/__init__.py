"""Luck of Pickomino and Heckmeck: the dice of a turn, solving a turn, and the value of a board."""
