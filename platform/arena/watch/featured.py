"""What is shown first is analysed before anyone asks for it."""

from typing import Final

from arena.watch.selectors import featured
from matches.analysis.selectors import analysis_of
from matches.analysis.services import analyses_order
from matches.models import Match

FEATURED_GAMES: Final = 2  # of each match: those that its page and its board begin with


def featured_analyse() -> int:
    """Order the analyses that the featured matches lack. Return how many: two for each board at most."""
    ordered = 0
    for match in featured():
        if value := analysis_of(match):
            one = Match.objects.filter(pk=match.pk)
            ordered += analyses_order(matches=one, value=value, games=FEATURED_GAMES)
    return ordered
