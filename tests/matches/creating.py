"""Create matches by their terms and their seats in one call."""

from dataclasses import fields
from typing import Any, Final

from matches.models import Match
from matches.services import MatchTerms, match_create, matches_create

_TERMS: Final = {one.name for one in fields(MatchTerms)}


def match_of(**given: Any) -> Match:
    """Create one match."""
    return match_create(**_apart(given))


def matches_of(**given: Any) -> list[Match]:
    """Create one for each of the ``pairings``."""
    return matches_create(**_apart(given))


def _apart(given: dict[str, Any]) -> dict[str, Any]:
    terms = {name: value for name, value in given.items() if name in _TERMS}
    return {"terms": MatchTerms(**terms), **{name: value for name, value in given.items() if name not in _TERMS}}
