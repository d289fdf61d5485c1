"""What pages show of a round by FIDE's rules: the same as of our own Swiss."""

from tournaments.formats.swiss.pages import round_context

__all__ = ["round_context"]
