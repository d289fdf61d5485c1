"""Live topics: the database is the truth, the socket only says that it changed."""

from matches.live.announce import announce

__all__ = ["announce"]
