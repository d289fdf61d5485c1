"""The commands of ``peck`` that run bots at home: results go to standard output, everything else to standard error.

Exit codes: 0 fine, 1 it does not hold or is not better, 2 a wrong call, 3 a bot's fault, 130 interrupted.
"""

from typing import Final

from peck import (
    check_command,
    completion,
    gate_command,
    new_command,
    play_command,
    replay_command,
    site_commands,
    spar_command,
    watch_command,
)
from peck.cli import Commands

COMMANDS: Final = (
    new_command,
    play_command,
    gate_command,
    check_command,
    replay_command,
    watch_command,
    completion,
)


def add_commands(commands: Commands) -> None:
    """Add the commands to the parser of ``peck``."""
    for one in COMMANDS:
        one.command_add(commands)
    site_commands.add_commands(commands)
    spar_command.command_add(commands)
