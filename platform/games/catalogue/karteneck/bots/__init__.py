"""The house bots of Karteneck. Each file is a whole bot, ready for upload: it imports nothing of the platform's."""
