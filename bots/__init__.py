"""Bots: their authors, their immutable versions, and the checks that accept versions."""
