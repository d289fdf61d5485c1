"""The house bots of Heckmeck. Each file is a complete bot and imports nothing from this project."""
