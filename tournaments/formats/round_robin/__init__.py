"""Round robin: all pairs of bots meet equally often. All rounds are drawn at once."""
