"""Analyses of games: how much of a result was luck and what each decision cost (see ``luck``). Workers compute them."""
