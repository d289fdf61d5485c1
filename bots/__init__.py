"""Bots: who wrote them, their immutable versions, and how a version comes to be accepted."""
