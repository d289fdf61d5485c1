"""Search all bots, contests, users, games and docs from one form."""
