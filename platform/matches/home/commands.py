"""The commands of ``peck`` that run bots at home: results go to standard output, everything else to standard error.

Exit codes: 0 fine, 1 it does not hold or is not better, 2 a wrong call, 3 a bot's fault, 130 interrupted.
"""

from games.cli import Commands
from matches.home import gate_command, play_command, replay_command


def add_commands(commands: Commands) -> None:
    """Add the commands to the parser of ``peck``."""
    for one in (play_command, gate_command, replay_command):
        one.command_add(commands)
