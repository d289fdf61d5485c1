"""The house bots of Pickomino. Each file is a complete bot, ready for upload, and imports nothing from this project."""
