"""Live topics: the database is the truth, the socket only says that it changed."""

from matches.live.announcement import announce

__all__ = ["announce"]
