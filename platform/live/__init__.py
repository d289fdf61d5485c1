"""Live updates: the socket says that something changed, the page reads it from the database."""

from live.announcement import announce

__all__ = ["announce"]
