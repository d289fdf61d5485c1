"""The explanation of a round by FIDE's rules. It is the same as for a round of the site's own Swiss."""

from tournaments.formats.swiss.pages import round_context

__all__ = ["round_context"]
