"""Results of a series at home, with luck-adjusted shares. They are computed by block, because the games of a block
share their chance.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import inf, log10, sqrt
from statistics import fmean, quantiles, stdev
from typing import Any

from luck import GameAccount, luck_analyse, luck_unknown_reason, luck_value_of
from luck.adjusted_mean import BLOCKS_LEAST, Adjusted, luck_adjusted_half_width
from matches.referee import GameResult
from matches.referee.scoring import Moments, scoring_adjusted, scoring_blocks, scoring_shares_beaten
from peck import text_counted


@dataclass(frozen=True, slots=True)
class Line:
    """Results of one seat of a series. ``share`` is the share of opponents that the seat beat, where a tie counts one
    half. It has a 95 % interval.
    """

    name: str
    games: int
    share: float
    low: float
    high: float
    points: float  # mean points in a game
    firsts: int
    faults: int
    median_ms: float
    slowest_ms: float  # milliseconds of an action: the 99th percentile

    @property
    def elo(self) -> float:
        """The difference of Elo ratings that corresponds to the share; infinite for the shares 0 and 1."""
        return 0.0 - 400 * log10(1 / self.share - 1) if 0 < self.share < 1 else (inf if self.share else -inf)


def tally_lines(names: Sequence[str], games: Sequence[GameResult], times: Mapping[str, Sequence[float]]) -> list[Line]:
    """Return a line for each seat. ``games`` are the games of complete blocks. ``times`` has the CPU seconds of each
    action, by the name of the bot.
    """
    seats = len(names)
    beaten = [scoring_shares_beaten(game.places) for game in games]
    lines = []
    for seat, name in enumerate(names):
        blocks = [
            fmean(float(one[seat]) for one in beaten[start : start + seats]) for start in range(0, len(games), seats)
        ]
        share, low, high = tally_share_interval(blocks)
        spent = sorted(times.get(name) or [0.0])
        percent = quantiles(spent, n=100, method="inclusive") if len(spent) > 1 else spent * 99
        lines.append(
            Line(
                name=name,
                games=len(games),
                share=share,
                low=low,
                high=high,
                points=fmean(game.points[seat] for game in games),
                firsts=sum(game.places[seat] == 1 for game in games),
                faults=sum(fault.seat == seat for game in games for fault in game.faults),
                median_ms=1000 * percent[49],
                slowest_ms=1000 * percent[98],
            )
        )
    return lines


def tally_share_interval(blocks: Sequence[float]) -> tuple[float, float, float]:
    """Return the mean share of blocks and its 95 % interval, by Student's distribution."""
    share = fmean(blocks)
    within = luck_adjusted_half_width(len(blocks) - 1) * stdev(blocks) / sqrt(len(blocks)) if len(blocks) > 1 else inf
    return share, max(0.0, share - within), min(1.0, share + within)


def tally_table(lines: Sequence[Line]) -> list[str]:
    """Return the lines as a text table with a header."""
    head = ("bot", "games", "beaten", "95 %", "Elo", "points", "first", "faults", "ms p50", "ms p99")
    rows = [head, *(_row(line) for line in lines)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(head))]
    return ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows]


def tally_line_json(line: Line) -> dict[str, Any]:
    """Return a line as JSON."""
    line_json = {name: getattr(line, name) for name in Line.__slots__}
    return line_json | {"elo": None if abs(line.elo) == inf else line.elo}


def _milliseconds(spent: float) -> str:
    """Return the time with enough digits for a fast bot; "-" for a bot that never acted."""
    if not spent:
        return "-"
    return f"{spent:.2f}" if spent >= 1 else f"{spent:.2g}"


def _row(line: Line) -> tuple[str, ...]:
    elo = f"{line.elo:+.0f}" if abs(line.elo) < inf else "-"
    return (
        line.name,
        str(line.games),
        f"{line.share:.3f}",
        f"{line.low:.3f} to {line.high:.3f}",
        elo,
        f"{line.points:.2f}",
        str(line.firsts),
        str(line.faults),
        _milliseconds(line.median_ms),
        _milliseconds(line.slowest_ms),
    )


@dataclass(frozen=True, slots=True)
class LuckAdjusted:
    """The luck-adjusted share of opponents beaten, by seat of the series, or the reason ``why`` there is none."""

    value: str
    games: int
    shares: tuple[Adjusted, ...]
    why: str = ""

    def lines(self, names: Sequence[str]) -> list[str]:
        """Return lines for a terminal."""
        if self.why:
            return [f"luck: {self.why}"]
        head = f"luck-adjusted by the value {self.value}: the same expectation, in points of 100"
        return [head, *(f"{name}: {self._label(one)}" for name, one in zip(names, self.shares, strict=True))]

    def to_dict(self) -> dict[str, Any]:
        """Return the shares as JSON."""
        shares = [asdict(one) | {"saved": one.saved, "worth_games": self._worth(one)} for one in self.shares]
        return {"value": self.value, "why": self.why, "bots": shares}

    def _label(self, one: Adjusted) -> str:
        played = f"played: {one.raw_points:.1f} +- {one.raw_half_points:.1f}; luck of a game {one.luck_points:+.1f}"
        saved = self._worth(one) - self.games
        worth = f"{text_counted(saved, 'game')} saved" if saved > 0 else "no game saved"
        return f"{one.points:.1f} +- {one.half_points:.1f} ({played}); {worth}"

    def _worth(self, one: Adjusted) -> int:
        """Return the number of games that would give an equally narrow interval without the adjustment."""
        return round(self.games * one.saved)


def tally_luck_adjusted(games: Sequence[GameResult]) -> LuckAdjusted:
    """Return the luck-adjusted shares of complete blocks of games, or why there are none."""
    ruleset, seats = games[0].record.ruleset, len(games[0].places)
    value, blocks = luck_value_of(ruleset), len(games) // seats
    if not value:
        return LuckAdjusted("", len(games), (), str(luck_unknown_reason(ruleset)))
    if blocks < BLOCKS_LEAST:
        return LuckAdjusted(value, len(games), (), f"adjusted from {BLOCKS_LEAST} blocks on, not with {blocks}")
    moments: list[tuple[Sequence[int], Moments]] = []
    for game in games:
        found = luck_analyse(game.record)
        if not isinstance(found, GameAccount):
            number = f"{game.index // seats + 1}.{game.index % seats + 1}"
            return LuckAdjusted(value, len(games), (), f"game {number}: {found}")
        moments.append((game.places, found.luck_moments))
    made = scoring_blocks(moments)
    of_seats = (scoring_adjusted((block.shares[seat], block.moments[seat]) for block in made) for seat in range(seats))
    return LuckAdjusted(value, len(games), tuple(one for one in of_seats if one is not None))
