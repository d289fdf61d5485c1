"""The stream of a match that is being played or on air, to those who watch it."""
