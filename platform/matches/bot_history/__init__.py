"""What a bot has played: its results and its faults, on its page and in the API."""
