"""Live updates: the socket says that something changed, the page reads it from the database."""

from live.hub import announce

__all__ = ["announce"]
