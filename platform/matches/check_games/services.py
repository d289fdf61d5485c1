"""Store and delete the games of checks."""

from django.db.models import F, Q

from matches.models import CheckGame
from matches.referee import GameResult
from web.database import persistent


@persistent
def check_game_keep(*, version_id: int, attempt: int, stage: str, game: GameResult) -> None:
    """Store a game of this attempt at a check. Readers see only those of the current attempt."""
    CheckGame.objects.get_or_create(
        version_id=version_id,
        attempt=attempt,
        stage=stage,
        index=game.index,
        defaults={
            "record": game.record.encode(),
            "places": game.places,
            "reason": game.reason,
            "tie_break": game.tie_break,
        },
    )


def check_games_drop() -> int:
    """Delete the games of versions whose file was deleted, and of void attempts. Return how many."""
    gone = Q(version__kept=0) | Q(attempt__lt=F("version__check_attempt"))
    return CheckGame.objects.filter(pk__in=list(CheckGame.objects.filter(gone).values_list("pk", flat=True))).delete()[
        0
    ]
