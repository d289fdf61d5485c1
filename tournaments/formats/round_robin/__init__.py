"""Round robin: every bot meets every other equally often; all rounds are drawn at once."""
