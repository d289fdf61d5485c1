"""The site's own cage at home, for untrusted bots (``--caged``). It requires Linux and an installed site: the package
of ``peck`` does not contain the cage.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, cast

from games.protocol import Limits, PlatformFault
from peck.bots import HomeBot, peck_bots_as_uploaded
from peck.cage import HomeCage
from peck.in_process import InProcessCage
from peck.processes import peck_process_on_one_core

NO_CAGE: Final = (
    "--caged needs Linux and a checkout of Pecking Order, whose .venv/bin/peck has the cage: it is not in this package"
    " (without --caged bots run unguarded)"
)


class SiteCage:
    """Starts bots in the site's cage, with the interface of ``HomeCage``. A bot has only the files that would be
    uploaded with it.
    """

    def __init__(self, cage: Any) -> None:
        self._cage = cage
        self.times: dict[str, list[float]] = defaultdict(list)
        self.imported: dict[str, list[str]] = {}

    def start(self, files: Mapping[str, bytes], table: Mapping[str, Any], seed: int, limits: Limits) -> "TimedBox":
        """Start a bot, which is a ``HomeBot``.

        Raises:
            BotFault: the bot did not start.
            PlatformFault: the cage failed.
        """
        bot = cast("HomeBot", files)
        return TimedBox(self._cage.start(peck_bots_as_uploaded(bot), table, seed, limits), self.times[bot.name])

    def close(self) -> None:
        """End all bots."""
        self._cage.close()


class TimedBox:
    """A box of the cage that appends the CPU seconds of each action to a list."""

    def __init__(self, box: Any, times: list[float]) -> None:
        self._box = box
        self._times = times

    def act(self, view: Mapping[str, Any]) -> Any:
        reply = self._box.act(view)
        self._times.append(reply.cpu)
        return reply

    def __getattr__(self, name: str) -> Any:
        return getattr(self._box, name)


def open_site_cage() -> SiteCage:
    """Open a cage in this process.

    Raises:
        PlatformFault: this machine, or this package, has no cage; the message says what is missing.
    """
    try:
        from sandbox import Cage, SandboxUnavailable
    except ImportError as error:
        raise PlatformFault(NO_CAGE) from error
    try:
        return SiteCage(Cage.open())
    except SandboxUnavailable as error:
        raise PlatformFault(str(error)) from error


@contextmanager
def site_cage_at_home(
    *, caged: bool = False, in_process: bool = False, strict: bool = False
) -> Iterator[HomeCage | SiteCage | InProcessCage]:
    """Yield a cage for the block.

    It is the site's cage if ``caged``. With ``in_process``, bots run in this process without limits. Otherwise they run
    in separate processes, with the rules of the site's cage if ``strict``.

    Raises:
        PlatformFault: see ``open_site_cage``.
    """
    if in_process:
        yield InProcessCage()
        return
    if not caged:
        with HomeCage(strict=strict) as plain:
            yield plain
        return
    with peck_process_on_one_core():
        cage = open_site_cage()
        try:
            yield cage
        finally:
            cage.close()
