"""The house bots of Karteneck. Each file is a complete bot, ready for upload, and imports nothing from this project."""
