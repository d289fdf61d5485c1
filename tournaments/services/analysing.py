"""Having the games of a tournament analysed, by the value that was announced."""

from matches.analysis.services import analyses_order
from matches.models import Match, MatchState
from tournaments.models import Tournament


def analyses_schedule(*, tournament: Tournament) -> None:
    """Order the analyses that finished matches lack, where a value was announced. Workers make them in between."""
    if not tournament.luck_value:
        return
    finished = Match.objects.filter(fixture__round__tournament=tournament, state=MatchState.FINISHED)
    while analyses_order(matches=finished, value=tournament.luck_value):
        pass
