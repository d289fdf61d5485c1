"""The house bots of Karteneck."""
