"""Having the games of a tournament analysed, by the value that was announced."""

from matches.analysis.kept import analyses_order
from matches.models import Match, MatchState
from tournaments.models import Tournament


def analyses_schedule(*, tournament_id: int) -> None:
    """Order the analyses that finished matches lack, where a value was announced. Workers make them in between."""
    value = Tournament.objects.values_list("luck_value", flat=True).get(pk=tournament_id)
    if not value:
        return
    finished = Match.objects.filter(fixture__round__tournament=tournament_id, state=MatchState.FINISHED)
    while analyses_order(matches=finished, value=value):
        pass
