"""``peck gate``: play until it is known whether the second bot is better than the first."""

import argparse
import json

from games.protocol import PlatformFault
from matches.referee import StoppingError
from peck import FAULT, INTERRUPTED, NOT_SO, OK, UNABLE, USAGE, text_counted
from peck.cli import Commands, cli_complain, cli_complain_of_file, cli_say
from peck.decided_series import NoValueError, decided_add_rule, decided_series, decided_with_rule
from peck.series import peck_series_add_arguments, peck_series_from_arguments, peck_series_json_default
from peck.stored_run import RunError, StoredRun, stored_run_add_arguments, stored_run_resume_check
from peck.tally import tally_line_json, tally_table


def command_add(commands: Commands) -> None:
    """Add the command to the parser of ``peck``."""
    gate = commands.add_parser("gate", help="test whether the second bot is better than the first")
    peck_series_add_arguments(gate, "BOT", 2, "the bot as it was, then as it is now")
    decided_add_rule(gate)
    stored_run_add_arguments(gate, "the games")
    gate.set_defaults(run=run_gate)


def run_gate(given: argparse.Namespace) -> int:
    """Play two bots until one is better or they are too close to call."""
    with peck_series_from_arguments(given) as series:
        if series is None:
            return USAGE
        try:
            stored_run_resume_check(given)
            ruled = decided_with_rule(series, given)
            stored = StoredRun.opened(given.records, ruled, resume=given.resume) if given.records else None
            found = decided_series(ruled, given.blocks, given.processes, stored)
        except (StoppingError, NoValueError, RunError) as error:
            cli_complain(error)
            return USAGE
        except PlatformFault as error:
            cli_complain(error)
            return UNABLE
        except OSError as error:
            cli_complain_of_file(given.records or given.bots[1], error)
            return NOT_SO
    if found.end is None:
        if found.blocks and not given.json:
            cli_say(*tally_table(found.lines()))
        return INTERRUPTED
    lines = found.lines()
    if given.json:
        print(
            json.dumps(
                found.to_dict() | {"bots": [tally_line_json(one) for one in lines]}, default=peck_series_json_default
            )
        )
    else:
        cli_say(*tally_table(lines), f"{found.names[1]} is {found.answer} ({text_counted(found.end.blocks, 'block')})")
    if any(game.faults for game in found.games):
        return FAULT
    return OK if found.answer == "better" else NOT_SO
