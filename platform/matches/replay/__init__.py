"""Finished games: their records, and the frames that the replay player draws."""
