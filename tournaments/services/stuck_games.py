"""Tournaments pause while the code of their game is missing or fails: see ``matches.queue.stuck_games``."""

from functools import partial

from django.db.models import Q

from matches.queue.stuck_games import WatchedContest, stuck_contests_tend
from tournaments.contest import TOURNAMENT
from tournaments.models import Tournament, TournamentState
from tournaments.services.lifecycle import matches_begun, tournament_pause, tournament_resume


def stuck_tournaments_tend() -> None:
    """Pause those that are stuck, and resume those that no longer are."""
    stuck = Q(state=TournamentState.PAUSED) & ~Q(paused_because="")
    stuck_contests_tend(
        WatchedContest(
            key=TOURNAMENT.numbered(one.pk),
            ruleset=one.ruleset,
            matches=matches_begun(one.pk),
            because=one.paused_because,
            pause=partial(tournament_pause, tournament=one),
            resume=partial(tournament_resume, tournament=one),
        )
        for one in Tournament.objects.filter(Q(state=TournamentState.RUNNING) | stuck)
    )
