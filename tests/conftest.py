"""Shared by every test: nothing yet that does not belong to a room of its own."""
