"""House bots by their names on the site, for all adapters. Their random numbers follow from a seed."""

import random

from games.catalogue import GAMES
from games.state import View


class HousePlayer:
    """The house bot ``name``, such as ``wise-owl``, of a game. If it uses Python's ``random``, the state of that
    generator is restored afterwards. Call ``begin`` before each game; before the first call, the seed of the bot is
    empty.

    Raises:
        LookupError: the game has no house bot with this name.
    """

    def __init__(self, game: str, name: str) -> None:
        known = {one.slug: one for one in GAMES[game].house_bots}
        if name not in known:
            raise LookupError(f"{game} has no house bot {name!r}; it has {', '.join(known)}")
        self._act = known[name].act()
        # Only such bots need the random state restored, which takes longer than most bots.
        self._draws = b"random" in known[name].source()
        self.begin(b"")

    def begin(self, seed: bytes) -> None:
        """Begin a game with this seed."""
        if self._draws:
            self._state = random.Random(seed).getstate()

    def act(self, view: View) -> str:
        """Return its action for this view."""
        if not self._draws:
            return self._act(view)
        before = random.getstate()
        random.setstate(self._state)
        try:
            return self._act(view)
        finally:
            self._state = random.getstate()
            random.setstate(before)
