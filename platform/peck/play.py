"""``peck play``: play blocks of games between bots, and print their results."""

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from games.protocol import PlatformFault
from matches.referee.scoring import GameResult, scoring_seats_by_position
from peck import FAULT, INTERRUPTED, NOT_SO, OK, UNABLE, USAGE, text_counted
from peck.cli import (
    Commands,
    ProgressBar,
    cli_complain,
    cli_complain_of_file,
    cli_explanation_line,
    cli_fault_line,
    cli_positive,
    cli_print_fault,
    cli_say,
)
from peck.series import (
    PlayedBlock,
    Series,
    peck_series_add_arguments,
    peck_series_blocks,
    peck_series_from_arguments,
    peck_series_json_default,
)
from peck.stored_run import RunError, StoredRun, stored_run_add_arguments, stored_run_resume_check
from peck.tally import tally_line_json, tally_lines, tally_luck_adjusted, tally_table


def command_add(commands: Commands) -> None:
    """Add the command to the parser of ``peck``."""
    play = commands.add_parser("play", help="let bots play each other on this machine, under the site's limits")
    peck_series_add_arguments(
        play, "BOT", "+", "a .py file, a .zip or a folder with bot.py, one for each seat; one may sit twice"
    )
    play.add_argument(
        "--blocks",
        type=cli_positive,
        default=10,
        help="number of blocks: a seed, played in every rotation of the seats",
    )
    play.add_argument(
        "-j", dest="processes", type=cli_positive, default=1, metavar="N", help="number of blocks to play in parallel"
    )
    stored_run_add_arguments(play, "every game's record")
    play.add_argument(
        "--luck", action="store_true", help="also print luck-adjusted shares, and how many games the adjustment saves"
    )
    play.add_argument("--notes", action="store_true", help="below each game, print how the bots explain their actions")
    play.add_argument("-q", "--quiet", action="store_true", help="do not print a line for each game")
    play.set_defaults(run=run_play)


def run_play(given: argparse.Namespace) -> int:
    """Play the blocks, and print the result of each bot."""
    with peck_series_from_arguments(given) as series:
        if series is None:
            return USAGE
        try:
            stored_run_resume_check(given)
            stored = StoredRun.opened(given.records, series, resume=given.resume) if given.records else None
        except RunError as error:
            cli_complain(error)
            return USAGE
        except OSError as error:
            cli_complain(f"{given.records}: {error.strerror or error}")
            return NOT_SO
        return _play(given, series, stored)


def _play(given: argparse.Namespace, series: Series, stored: StoredRun | None) -> int:
    """Play the blocks that are not stored yet. Return the exit code."""
    played = [one for block, one in sorted(stored.played.items()) if block < given.blocks] if stored else []
    if played:
        cli_complain(f"{len(played)} of {text_counted(given.blocks, 'block')} stored: playing the others")
    left = sorted(set(range(given.blocks)) - {one.block for one in played})
    progress = ProgressBar(given.blocks)
    code = OK
    try:
        with closing(progress):
            for one in peck_series_blocks(series, left, given.processes):
                if stored:
                    stored.store(one)
                played.append(one)
                progress.close()
                _print_block(one, series, given)
                progress.show(len(played))
    except KeyboardInterrupt:
        cli_complain(f"interrupted after {len(played)} of {text_counted(given.blocks, 'block')}")
        code = INTERRUPTED
    except PlatformFault as error:
        cli_complain(error)
        code = UNABLE
    except OSError as error:
        cli_complain_of_file(given.records, error)
        code = NOT_SO
    if played:
        _print_totals(sorted(played, key=lambda one: one.block), series, given)
    return code or (FAULT if any(game.faults for one in played for game in one.games) else OK)


def _print_totals(played: Sequence[PlayedBlock], series: Series, given: argparse.Namespace) -> None:
    """Print the results of all blocks."""
    bots = [bot.name for bot in series.bots]
    games = [game for one in played for game in one.games]
    times: dict[str, list[float]] = {}
    for one in played:
        for name, spent in one.times.items():
            times.setdefault(name, []).extend(spent)
    lines = tally_lines(bots, games, times)
    luck = tally_luck_adjusted(games) if given.luck else None
    if given.json:
        summary = {"blocks": len(played), "bots": [tally_line_json(line) for line in lines]}
        print(json.dumps(summary | ({"luck": luck.to_dict()} if luck else {}), default=peck_series_json_default))
    else:
        cli_say(*tally_table(lines), *(luck.lines(bots) if luck else ()))
    _note_imports(played, series, given.bots)


def _print_block(one: PlayedBlock, series: Series, given: argparse.Namespace) -> None:
    """Print the result of each game, and on standard error the bots that failed."""
    seats = len(series.bots)
    for rotation, game in enumerate(one.games):
        number = f"{one.block + 1}.{rotation + 1}"
        order = list(scoring_seats_by_position(game.index, seats))
        if not (given.quiet or given.json):
            how = game.reason + (f", {game.tie_break}" if game.tie_break else "")
            each = ", ".join(
                f"{series.bots[seat].name} {game.points[seat]} (place {game.places[seat]})" for seat in order
            )
            cli_say(f"game {number}: {each}; {how}")
            if given.notes:
                _print_notes(game, [bot.name for bot in series.bots])
        for fault in game.faults:
            cli_complain(
                f"game {number}: {series.bots[fault.seat].name}, seat {order.index(fault.seat)}, "
                f"action {fault.action_index}: {cli_fault_line(fault)}"
            )
            cli_print_fault(fault, sys.stderr)


def _print_notes(game: GameResult, names: Sequence[str]) -> None:
    """Print the bots' explanations of their actions in order. Print nothing for a stored game of an earlier run,
    because records do not contain explanations.
    """
    notes = [(played, name, one) for name, log in zip(names, game.logs, strict=False) for played, one in log.notes]
    for played, name, one in sorted(notes, key=lambda note: note[0]):
        cli_say(f"  action {played + 1}, {name}: {cli_explanation_line(one)}")


def _note_imports(played: Sequence[PlayedBlock], series: Series, paths: Sequence[Path]) -> None:
    alone = {bot.name: bot for bot, path in zip(series.bots, paths, strict=True) if path.suffix == ".py"}
    for bot in alone.values():
        imported: set[str] = set()
        for one in played:
            imported.update(one.imported.get(bot.name, ()))
        if imported:
            cli_complain(
                f"note: {bot.file} imports {', '.join(sorted(imported))} beside it: upload a zip that holds them"
            )
