"""Data sets of contests: their games and the decisions in them as files, which ``matches.proof.dataset`` checks."""
