"""Play two bots until a stopping rule decides which is better, for ``peck gate`` and ``peck climb``."""

import argparse
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, Final

from luck import luck_unknown_reason, luck_value_of
from matches.referee import (
    GameResult,
    SeriesResult,
    SeriesState,
    StopReason,
    ThreeAnswersLessLuck,
    stopping_rule_of,
)
from peck import text_counted
from peck.cli import ProgressBar, cli_complain, cli_positive
from peck.series import PlayedBlock, Series, peck_series_blocks
from peck.stored_run import StoredRun
from peck.tally import Line, tally_lines

BLOCKS: Final = 500
EFFECT: Final = 0.1
ERROR: Final = 0.05
ANSWERS: Final = {
    StopReason.SECOND: "better",
    StopReason.FIRST: "worse",
    StopReason.TOO_CLOSE: "too close to call",
    StopReason.UNDECIDED: "not decided",
    StopReason.FORFEITED: "forfeited",
}


class NoValueError(Exception):
    """Results cannot be adjusted for luck, because the game has no value. The message says why."""


@dataclass(frozen=True, slots=True)
class DecidedSeries:
    """The blocks that two bots played. ``end`` is the result, None if the series was interrupted."""

    names: tuple[str, ...]
    blocks: Sequence[PlayedBlock]
    end: SeriesResult | None

    @property
    def games(self) -> list[GameResult]:
        """All games, in order."""
        return [game for one in self.blocks for game in one.games]

    @property
    def answer(self) -> str:
        """The answer about the second bot, in words."""
        return ANSWERS[(self.end and self.end.ending) or StopReason.UNDECIDED]

    def lines(self) -> list[Line]:
        """Return the results of both bots. At least one block must have been played."""
        times: dict[str, list[float]] = {}
        for one in self.blocks:
            for name, spent in one.times.items():
                times.setdefault(name, []).extend(spent)
        return tally_lines(self.names, self.games, times)

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict as JSON."""
        assert self.end is not None, "it was played to its end"  # noqa: S101
        return {"answer": self.answer, "ending": self.end.ending, "blocks": self.end.blocks}


def decided_series(series: Series, most: int, processes: int = 1, run: StoredRun | None = None) -> DecidedSeries:
    """Play blocks of ``series`` until its rule decides, at most ``most`` blocks. The result does not depend on the
    number of ``processes``. Each block that counts is stored in ``run``; blocks that are already stored are not played
    again.

    Raises:
        PlatformFault: see ``peck_series_blocks``.
        OSError: a block cannot be stored.
    """
    stored = dict(run.played) if run else {}
    missing = [block for block in range(most) if block not in stored]
    state = SeriesState(len(series.bots), most, series.stopping)
    names, blocks = tuple(bot.name for bot in series.bots), list[PlayedBlock]()
    progress = ProgressBar(most)
    try:
        with closing(progress), closing(peck_series_blocks(series, missing, processes)) as played:
            for block in range(most):
                one = stored.get(block) or next(played)
                if run and block not in stored:
                    run.store(one)
                blocks.append(one)
                for game in one.games:
                    state.note(game)
                progress.show(len(blocks))
                if state.over:
                    break
    except KeyboardInterrupt:
        how = "continue with --resume" if run else "nothing is known"
        cli_complain(f"interrupted after {text_counted(len(blocks), 'block')}: {how}")
        return DecidedSeries(names, blocks, None)
    return DecidedSeries(names, blocks, state.conclusion())


def decided_add_rule(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the stopping rule, and the number of blocks that are played at a time."""
    parser.add_argument(
        "--effect", type=float, default=EFFECT, help="the smallest difference in the share of wins that matters"
    )
    parser.add_argument("--error", type=float, default=ERROR, help="the accepted probability of a wrong answer")
    parser.add_argument(
        "--luck",
        action="store_true",
        help="decide by luck-adjusted results: this needs about half the games on average, though not in every run. "
        "Analysing a game takes ten times as long as fast bots play it in one process, so this pays off for slow bots",
    )
    parser.add_argument("--blocks", type=cli_positive, default=BLOCKS, help="maximum number of blocks")
    parser.add_argument(
        "-j", dest="processes", type=cli_positive, default=1, metavar="N", help="number of blocks to play in parallel"
    )


def decided_with_rule(series: Series, given: argparse.Namespace) -> Series:
    """Return the series with the stopping rule of the arguments.

    Raises:
        StoppingError: there is no such rule.
        NoValueError: ``--luck`` was given for a game without a value.
    """
    adjustment = {}
    if given.luck:
        if not (value := luck_value_of(series.ruleset)):
            raise NoValueError(luck_unknown_reason(series.ruleset))
        adjustment = {"rule": ThreeAnswersLessLuck.RULE, "value": value}
    return replace(series, stopping=stopping_rule_of({"effect": given.effect, "error": given.error, **adjustment}))
