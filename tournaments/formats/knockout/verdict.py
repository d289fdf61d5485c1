"""Who goes on from a match of a knockout, and why."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class DecidedBy(StrEnum):
    """The first of these that tells two players apart: a knockout match has a winner."""

    FORFEIT = "forfeit"  # the other one's faults were too many
    SCORE = "score"
    GAME_POINTS = "game_points"
    SEED = "seed"
    WALKOVER = "walkover"  # the other one had left


@dataclass(frozen=True, slots=True)
class HeatShare:
    """What one player made of a match: games won (draws half), the game's own points, whether its faults were too many
    for the match to count, and its seed."""

    entrant: int
    score: float
    game_points: int
    seed: int
    forfeited: bool = False


@dataclass(frozen=True, slots=True)
class BracketDecision:
    winner: int
    loser: int
    by: DecidedBy

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "BracketDecision":
        """Return the verdict of which ``write`` gave ``data``."""
        return cls(data["winner"], data["loser"], DecidedBy(data["by"]))

    def write(self) -> dict[str, Any]:
        """Return it as JSON."""
        return asdict(self)


def verdict_of(one: HeatShare, other: HeatShare) -> BracketDecision:
    """Decide for an entrant that has not forfeited; then by more games won; if level, by more of the game's own points;
    if level again, for the better seed.
    """
    for by, mine, theirs in (
        (DecidedBy.FORFEIT, not one.forfeited, not other.forfeited),
        (DecidedBy.SCORE, one.score, other.score),
        (DecidedBy.GAME_POINTS, one.game_points, other.game_points),
        (DecidedBy.SEED, other.seed, one.seed),
    ):
        if mine != theirs:
            winner, loser = (one, other) if mine > theirs else (other, one)
            return BracketDecision(winner.entrant, loser.entrant, by)
    raise ValueError(f"entrants {one.entrant} and {other.entrant} share the seed {one.seed}")
