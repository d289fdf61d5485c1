"""What a series at home comes to with its luck taken off: the same code as that of the site."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from luck import GameAccount, analyse, unknown, value_of
from luck.adjusting import BLOCKS_LEAST, Adjusted
from matches.referee import GameResult
from matches.referee.block_luck import Moments, adjusted_of, blocks_of


@dataclass(frozen=True, slots=True)
class LessLuck:
    """By seat of the series the share of opponents beaten, its luck taken off; or ``why`` there is none."""

    value: str
    games: int
    shares: tuple[Adjusted, ...]
    why: str = ""

    def lines(self, names: Sequence[str]) -> list[str]:
        """Return it as text."""
        if self.why:
            return [f"luck: {self.why}"]
        head = f"less the luck, by the value {self.value}: the same expectation, in points of 100"
        return [head, *(f"{name}: {self._label(one)}" for name, one in zip(names, self.shares, strict=True))]

    def to_dict(self) -> dict[str, Any]:
        """Return it for programs."""
        shares = [asdict(one) | {"saved": one.saved, "worth_games": self._worth(one)} for one in self.shares]
        return {"value": self.value, "why": self.why, "bots": shares}

    def _label(self, one: Adjusted) -> str:
        played = f"played: {one.raw_points:.1f} +- {one.raw_half_points:.1f}; luck of a game {one.luck_points:+.1f}"
        saved = self._worth(one) - self.games
        worth = f"{saved} games saved" if saved > 0 else "no game saved"
        return f"{one.points:.1f} +- {one.half_points:.1f} ({played}); {worth}"

    def _worth(self, one: Adjusted) -> int:
        """Return how many games would tell as much without it."""
        return round(self.games * one.saved)


def less_luck(games: Sequence[GameResult]) -> LessLuck:
    """Analyse whole blocks of games. Nothing is adjusted where one of them cannot be, or where there are too few."""
    ruleset, seats = games[0].record.ruleset, len(games[0].places)
    value, blocks = value_of(ruleset), len(games) // seats
    if not value:
        return LessLuck("", len(games), (), str(unknown(ruleset)))
    if blocks < BLOCKS_LEAST:
        return LessLuck(value, len(games), (), f"it is taken off from {BLOCKS_LEAST} blocks on, not of {blocks}")
    told: list[tuple[Sequence[int], Moments]] = []
    for game in games:
        found = analyse(game.record)
        if not isinstance(found, GameAccount):
            number = f"{game.index // seats + 1}.{game.index % seats + 1}"
            return LessLuck(value, len(games), (), f"game {number}: {found}")
        told.append((game.places, found.luck_moments))
    made = blocks_of(told)
    of_seats = (adjusted_of((block.shares[seat], block.moments[seat]) for block in made) for seat in range(seats))
    return LessLuck(value, len(games), tuple(one for one in of_seats if one is not None))
