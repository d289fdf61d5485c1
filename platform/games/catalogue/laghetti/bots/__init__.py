"""The house bots of In cammino tra i laghetti. Each file is a complete bot and imports nothing from this project."""
