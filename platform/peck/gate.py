"""``peck gate``: is the second bot better than the first? Played until that is known."""

import argparse
import json
from contextlib import closing
from dataclasses import replace
from typing import Final

from games.protocol import PlatformFault
from luck import unknown, value_of
from matches.referee import (
    GameResult,
    SeriesState,
    StoppingError,
    StopReason,
    ThreeAnswersLessLuck,
    games_played,
    rule_of,
)
from peck import FAULT, INTERRUPTED, NOT_SO, OK, USAGE, counted
from peck.cli import Commands, ProgressBar, complain, positive, say
from peck.series import add_series, finite, series_of
from peck.site_cage import home_cage
from peck.tally import as_json, table, tally

ANSWERS: Final = {StopReason.SECOND: "better", StopReason.FIRST: "worse", StopReason.FORFEITED: "forfeited"}


def command_add(commands: Commands) -> None:
    """Add the command to the parser of ``peck``."""
    gate = commands.add_parser("gate", help="is the second bot better than the first? Play until it is known")
    add_series(gate, "BOT", 2, "the bot as it was, then as it is now")
    gate.add_argument("--effect", type=float, default=0.1, help="the least difference in share of wins that matters")
    gate.add_argument("--error", type=float, default=0.05, help="how often a wrong answer may be given")
    gate.add_argument("--luck", action="store_true", help="take the luck off before deciding: fewer games are needed")
    gate.add_argument("--blocks", type=positive, default=500, help="at most so many")
    gate.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Play two bots until one is better or they are too close to call."""
    with series_of(given) as series:
        if series is None:
            return USAGE
        adjustment: dict[str, str] = {}
        if given.luck:
            if not (value := value_of(series.ruleset)):
                complain(unknown(series.ruleset))
                return USAGE
            adjustment = {"rule": ThreeAnswersLessLuck.RULE, "value": value}
        try:
            rule = rule_of({"effect": given.effect, "error": given.error, **adjustment})
        except StoppingError as error:
            complain(error)
            return USAGE
        spec = replace(series.spec(given.blocks), stopping=rule)
        state = SeriesState(2, given.blocks, rule)
        games: list[GameResult] = []
        progress = ProgressBar(given.blocks)
        times: dict[str, list[float]] = {}
        try:
            with home_cage(caged=series.caged, in_process=series.in_process) as cage, closing(progress):
                times = cage.times
                for game in games_played(spec, cage, lambda index, table: None):
                    games.append(game)
                    state.note(game)
                    progress.show(len(games) // 2)
        except KeyboardInterrupt:
            complain(f"interrupted after {counted(len(games) // 2, 'block')}: nothing is known")
            whole = games[: len(games) // 2 * 2]
            if whole and not given.json:
                say(*table(tally([bot.name for bot in series.bots], whole, times)))
            return INTERRUPTED
        except PlatformFault as error:
            complain(error)
            return NOT_SO
        end = state.conclusion()
        lines = tally([bot.name for bot in series.bots], games, times)
    answer = ANSWERS.get(end.ending or StopReason.UNDECIDED, "too close to call")
    if given.json:
        document = {
            "answer": answer,
            "ending": end.ending,
            "blocks": end.blocks,
            "bots": [as_json(one) for one in lines],
        }
        print(json.dumps(document, default=finite))
    else:
        say(*table(lines), f"{series.bots[1].name} is {answer} ({counted(end.blocks, 'block')})")
    if any(game.faults for game in games):
        return FAULT
    return OK if answer == "better" else NOT_SO
