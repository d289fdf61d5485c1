"""The house bots of the anniversary edition. Each file is a whole bot: it imports nothing of the platform's."""
