"""By what the games of a match are analysed: what was announced when it was made."""

from luck import analysed_by, value_announced
from matches.models import Match


def value_of_match(match: Match) -> str:
    """Return the id of the value by which luck is taken off its results, "" if there is none. Matches of before there
    were two of a ruleset have the first."""
    return value_announced(match.ruleset, match.luck_value)


def analysis_of(match: Match) -> str:
    """Return the id of what analyses its games, a value or what else there is; "" if there is nothing."""
    return analysed_by(match.ruleset, value_of_match(match))
