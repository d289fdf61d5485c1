"""``peck luck``: print the luck analysis of a game's record."""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from games.encoding import LONGEST
from games.record import Record, RecordError
from games.untrusted import UntrustedError, untrusted_file_read
from luck.analysis import luck_analyse
from luck.game_account import POINT, DealtGame, GameAccount, Unanalysed, luck_mark
from luck.shares import UNIT
from peck.cli import Commands, cli_complain, cli_say

COSTLIEST: Final = 10  # decisions that are listed


def command_add(commands: Commands) -> None:
    """Add ``luck`` to ``commands``."""
    luck = commands.add_parser("luck", help="how much luck each seat had in a game, and what its decisions cost")
    luck.add_argument("file", type=Path, metavar="FILE", help="a game's record")
    luck.add_argument("--json", action="store_true", help="print everything as JSON, in units of 1e-9 shares")
    luck.set_defaults(run=run_luck)


def run_luck(given: argparse.Namespace) -> int:
    """Print the analysis of a record. The exit code is 1 if there is none."""
    try:
        found = luck_analyse(Record.decode(untrusted_file_read(given.file, LONGEST)))
    except (OSError, RecordError, UntrustedError) as error:
        why = f"{given.file}: {error.strerror}" if isinstance(error, OSError) and error.strerror else error
        cli_complain(f"does not hold: {why}")
        return 1
    if given.json:
        print(json.dumps(found.to_dict()))
    elif isinstance(found, Unanalysed):
        cli_complain(found)
    else:
        cli_say(*(_dealt(found) if isinstance(found, DealtGame) else _lines(found)))
    return 1 if isinstance(found, Unanalysed) else 0


def _lines(found: GameAccount) -> Iterator[str]:
    yield f"by the value {found.value}, in points: 100 for every opponent beaten"
    for seat in range(found.players):
        yield (
            f"seat {seat}: start {_points(found.start[seat])}, luck {_points(found.luck[seat], '+')},"
            f" own losses {_points(-found.lost[seat], '+')}, the others' {_points(found.theirs[seat], '+')},"
            f" unexplained {_points(found.unexplained[seat], '+')}: {_points(found.final[seat])}"
        )
    for seat, step in found.stopped:
        yield f"seat {seat}: a stand-in from step {step} on, which does not count"
    for moment in found.turns:
        shares = ", ".join(_points(share) for share in moment.shares)
        yield f"after turn {moment.turn} (step {moment.step}), seat {moment.seat}'s: {shares}"
    costly = sorted(
        (one for one in found.decisions if not one.stand_in and luck_mark(one.lost)), key=lambda one: -one.lost
    )
    for one in costly[:COSTLIEST]:
        yield (
            f"{luck_mark(one.lost)} at step {one.step}, seat {one.seat}: {one.action!r} lost {_points(one.lost)};"
            f" best {one.best!r}"
        )


def _dealt(found: DealtGame) -> Iterator[str]:
    means = "points that one fixed bot in every seat makes of the cards, less the mean of all deals"
    yield f"by the means {found.value}: {means}"
    for number, deal in enumerate(found.deals, start=1):
        luck = ", ".join(f"{one / POINT:+.1f}" for one in deal.luck)
        yield f"round {number}, {deal.cards} each (step {deal.step}): {luck}"
    for seat, one in enumerate(found.luck):
        yield f"seat {seat}: cards dealt {one / POINT:+.1f} points"


def _points(share: int, sign: str = "") -> str:
    return f"{100 * share / UNIT:{sign}.1f}"
