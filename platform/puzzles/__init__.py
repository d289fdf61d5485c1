"""Puzzles: positions whose value is exact, at which a person chooses and sees what each action is worth."""
