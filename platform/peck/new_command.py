"""``peck new``: a folder with a bot that plays."""

import argparse
from pathlib import Path

from games.catalogue import GAMES, UnknownRuleset, current
from peck.asked import NOT_SO, OK, USAGE
from peck.cli import Commands, complain, say
from peck.project import ProjectError, project_make


def command_add(commands: Commands) -> None:
    """Add the command to the parser of ``peck``."""
    new = commands.add_parser("new", help="make a folder with a bot that plays, and opponents")
    new.add_argument("game", help=", ".join(GAMES))
    new.add_argument("folder", type=Path, metavar="NAME", help="of the folder, which must not be there yet")
    new.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Make the folder; what is there is never overwritten."""
    try:
        project_make(current(given.game), given.folder)
    except (UnknownRuleset, ProjectError) as error:
        complain(error)
        return USAGE
    except OSError as error:
        complain(f"{error.filename or given.folder}: {error.strerror or error}")
        return NOT_SO
    say(f"{given.folder}: a bot that plays {given.game}; README.md says what to do next")
    return OK
