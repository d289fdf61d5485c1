"""Whether a tournament still waits for results."""

from django.db.models import Subquery

from matches.models import UNDECIDED
from tournaments.models import Fixture, Round


def is_round_undecided(tournament_id: int) -> bool:
    """Tell whether a match of the last round is undecided: after most matches one is."""
    last = Round.objects.filter(tournament=tournament_id).order_by("-number").values("pk")[:1]
    return Fixture.objects.filter(round=Subquery(last), match__state__in=UNDECIDED).exists()
