"""Challenges: sparring matches against bots of other authors who allow it. Only both authors and staff see them."""
