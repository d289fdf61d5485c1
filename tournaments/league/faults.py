"""When a bot's faults cost it a match, and when they cost it its place."""

from typing import Final

FORFEITED_SHARE: Final = 0.2  # of the match's games with a fault of the bot; more, and the match is forfeited
FORFEITS_ALLOWED: Final = 1  # in a season; one more, and the bot is benched until a newer version is current


def is_forfeited(*, faulty_games: int, games: int) -> bool:
    """Whether a bot at fault in so many of a match's games forfeits it."""
    return faulty_games > FORFEITED_SHARE * games
