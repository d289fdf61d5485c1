"""``peck gate``: is the second bot better than the first? Played until that is known."""

import argparse
import json

from games.protocol import PlatformFault
from matches.referee import StoppingError
from peck import FAULT, INTERRUPTED, NOT_SO, OK, UNABLE, USAGE, counted
from peck.cli import Commands, complain, complain_of_file, say
from peck.decided import NoValueError, add_rule, decided, with_rule
from peck.series import add_series, finite, series_of
from peck.stored_run import RunError, StoredRun, add_records, resume_checked
from peck.tally import tally_line_json, tally_table


def command_add(commands: Commands) -> None:
    """Add the command to the parser of ``peck``."""
    gate = commands.add_parser("gate", help="test whether the second bot is better than the first")
    add_series(gate, "BOT", 2, "the bot as it was, then as it is now")
    add_rule(gate)
    add_records(gate, "the games")
    gate.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Play two bots until one is better or they are too close to call."""
    with series_of(given) as series:
        if series is None:
            return USAGE
        try:
            resume_checked(given)
            ruled = with_rule(series, given)
            stored = StoredRun.opened(given.records, ruled, resume=given.resume) if given.records else None
            found = decided(ruled, given.blocks, given.processes, stored)
        except (StoppingError, NoValueError, RunError) as error:
            complain(error)
            return USAGE
        except PlatformFault as error:
            complain(error)
            return UNABLE
        except OSError as error:
            complain_of_file(given.records or given.bots[1], error)
            return NOT_SO
    if found.end is None:
        if found.blocks and not given.json:
            say(*tally_table(found.lines()))
        return INTERRUPTED
    lines = found.lines()
    if given.json:
        print(json.dumps(found.to_dict() | {"bots": [tally_line_json(one) for one in lines]}, default=finite))
    else:
        say(*tally_table(lines), f"{found.names[1]} is {found.answer} ({counted(found.end.blocks, 'block')})")
    if any(game.faults for game in found.games):
        return FAULT
    return OK if found.answer == "better" else NOT_SO
