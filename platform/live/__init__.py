"""Live updates: the socket says that something changed, the page reads it from the database."""

from live.hub import hub_announce

__all__ = ["hub_announce"]
