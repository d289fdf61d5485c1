"""The explanation of a round by FIDE's rules, which is the same as for the site's own Swiss."""

from tournaments.formats.swiss.pages import swiss_round_context

__all__ = ["swiss_round_context"]
