"""The command ``peck``: an author's bots on their own machine, their accounts on a site, and proofs. Uses no framework.

Each bot runs in its own process, with the site's limits and verdicts but without a cage. The bot is loaded and called
by the code that the cage uses (``sandbox.inside.entry``), and judged by the site's referee. So a game at home is the
same as on the site. This module has the exit codes of all commands.
"""

from typing import Final

OK: Final = 0
NOT_SO: Final = 1  # the answer is no: not valid, not better, not found
USAGE: Final = 2
FAULT: Final = 3  # a bot has failed
SITE: Final = 4  # the site refuses the request or does not answer
UNABLE: Final = 5  # the platform failed, or this machine lacks something: this says nothing about the bot
INTERRUPTED: Final = 130  # the status with which shells report that SIGINT ended a program
CLOSED_PIPE: Final = 141


def text_counted(number: int, one: str, many: str = "") -> str:
    """Return the number with its noun: "1 match", "2 matches". Without ``many``, the plural ends in s."""
    return f"{number} {one if number == 1 else many or one + 's'}"
