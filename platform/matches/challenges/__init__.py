"""Challenges: sparring matches with bots of other authors, who allow it. Both authors see them, nobody else."""
