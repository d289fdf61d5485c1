"""Data sets of contests: files with games and decisions, which ``matches.proof.dataset`` verifies."""
