"""The command ``peck``: an author's bots on their own machine, their accounts on a site, proofs. No framework.

Bots run in a process each, under the site's limits and verdicts, without a cage. The code that makes and calls a bot is
the cage's (``sandbox.inside.entry``) and the judge is the referee, so a game at home is the game that the site plays.
These are the exit codes of all commands.
"""

from typing import Final

OK: Final = 0
NOT_SO: Final = 1  # it does not hold, is not better, cannot be written
USAGE: Final = 2
FAULT: Final = 3  # of a bot
SITE: Final = 4  # it refuses or does not answer
UNABLE: Final = 5  # the platform failed, or this machine lacks what it needs: nothing is known of the bot
INTERRUPTED: Final = 130  # as shells report a program that a signal ended
CLOSED_PIPE: Final = 141


def text_counted(number: int, one: str, many: str = "") -> str:
    """Return the number with its noun: "1 match", "2 matches"; without ``many`` the plural ends in s."""
    return f"{number} {one if number == 1 else many or one + 's'}"
