"""Teams: people who own bots together."""
