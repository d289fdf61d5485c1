"""The value of Pickomino's positions: a board's by a fitted formula, a turn's by exact calculation from it."""
