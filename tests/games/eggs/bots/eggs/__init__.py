"""Step 5, the house bots of Best Egg: whole files that import nothing of ours."""
