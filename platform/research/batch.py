"""Play many games at once on numpy arrays, for learning by self-play: ``BatchGames("pickomino", games=4096)``.

Requires numpy. With numba, the rules are compiled, which takes some seconds at the first use in a process. Without
numba, the same rules run as plain Python, no faster than the engine.
"""

import sys
from collections.abc import Mapping
from functools import cache
from types import FunctionType
from typing import Any, Final

import numpy as np

from games.catalogue import FIRST, ruleset_find_or_current
from games.in_numbers import SEATS, SETTINGS, ArrayRules
from games.numbered import NumberedGame
from research import batch_hash, batch_loops
from research.seeding import Seeds

try:
    import numba
except ImportError:
    numba = None

FUNCTIONS: Final = ("begin", "play", "deal", "observe", "allow", "rank")
LOOPS: Final = ("batch_loops_begin", "batch_loops_play", "batch_loops_deal", "batch_loops_look", "batch_loops_rank")


class NoArrayRules(TypeError):
    """The ruleset has no rules for batches."""


class BatchGames:
    """A batch of ``games`` games of one ruleset, each with ``players`` players, by default the fewest.

    Chance is the same as in the engine: a seed gives the same game in a batch, at a ``Table`` and on the site. The
    first index of each of the following arrays is the game. The next ``step`` overwrites the arrays:

    - ``observations``: what the acting seat sees, see ``NumberedGame.observation``;
    - ``masks``: the legal actions of the acting seat;
    - ``actors``: the number of the acting seat;
    - ``over``: whether ``step`` ended a game. The arrays above then belong to the next game;
    - ``rewards``, ``points``, ``places``: by seat, of the game that ended; rewards are 0 elsewhere, see
      ``NumberedGame.utilities``;
    - ``last_observations``: by seat, the last observation of the game that ended.

    ``seeds`` are the seeds of the current games.

    Raises:
        UnknownRuleset, SeatError, OptionError: the game, its number of players or its options are invalid.
        NoArrayRules: the game has no rules for batches.
    """

    def __init__(
        self,
        game: str = FIRST,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        games: int = 1024,
    ) -> None:
        ruleset = ruleset_find_or_current(game)
        rules = ruleset.in_numbers.arrays if ruleset.in_numbers else None
        if rules is None:
            raise NoArrayRules(f"{ruleset} cannot be played in batches")
        self.numbered = NumberedGame(ruleset, players or ruleset.seats.start, options)
        self.games = games
        self._all = np.arange(games)
        self._key = rules.key
        seats, floats, actions = self.numbered.players, self.numbered.observation_shape[0], len(self.numbered.names)
        settings = rules.settings(self.numbered.options)
        self._fresh = np.zeros(rules.width(seats), np.int32)
        self._fresh[SEATS] = seats
        self._fresh[SETTINGS : SETTINGS + len(settings)] = settings
        self._rows = np.zeros((games, len(self._fresh)), np.int32)
        self._begin, self._play, self._deal, self._look, self._rank = _loops_of(rules)
        # In one row the games that wait for a block, in the other the codes of these blocks.
        self._waiting = np.zeros((2, games), np.int32)
        self._seeds = Seeds()
        # For each game, the state of its hash after the key
        self._keyed = np.zeros((games, batch_hash.STATE), batch_hash.WORD)
        # By code: the names of the blocks that were needed so far
        self._texts = np.zeros((1, batch_hash.MESSAGE), batch_hash.WORD)
        self._blocks = np.zeros((games, batch_hash.STATE), batch_hash.WORD)
        self.seeds = [b""] * games
        self.observations = np.zeros((games, floats), np.float32)
        self.masks = np.zeros((games, actions), np.int8)
        self.actors = np.zeros(games, np.int32)
        self.over = np.zeros(games, bool)
        self.rewards = np.zeros((games, seats), np.float32)
        self.points = np.zeros((games, seats), np.int32)
        self.places = np.zeros((games, seats), np.int32)
        self.last_observations = np.zeros((games, seats, floats), np.float32)

    def reset(self, seed: int | None = None) -> None:
        """Begin all games. Their seeds follow from ``seed`` in the same way as in ``PeckingEnv``: the game that begins
        first gets the first seed.
        """
        if seed is not None:
            self._seeds.begin(seed)
        self.over[:] = False
        self.rewards[:] = 0
        self._begin_games(self._all)
        self._look(self._rows, self._all, self.observations, self.masks, self.actors, self.over)

    def step(self, actions: Any, which: Any = None) -> None:
        """Play an action in each game, or in each game of ``which``. A game that ends is followed by the next one.

        Raises:
            ValueError: the number of actions is wrong, or an action is illegal. Nothing has changed.
        """
        given, which = np.asarray(actions), self._all if which is None else np.asarray(which)
        if given.shape != which.shape:
            raise ValueError(f"{len(which)} games need as many actions, not an array of shape {given.shape}")
        if not ((given >= 0) & (given < self.masks.shape[1])).all():
            raise ValueError("a number of an action is out of range")
        illegal = np.flatnonzero(self.masks[which, given] == 0)
        if illegal.size:
            first = int(illegal[0])
            raise ValueError(f"{self.numbered.names[given[first]]!r} is not legal in game {which[first]}")
        self.over[:] = False
        self.rewards[:] = 0
        self._let_chance_play(self._play(self._rows, which, given, self._waiting))
        self._look(self._rows, which, self.observations, self.masks, self.actors, self.over)
        if self.over.any():
            self._begin_again(np.flatnonzero(self.over))

    def _begin_again(self, ended: Any) -> None:
        self._rank(self._rows, ended, self.points, self.places, self.last_observations)
        places = self.places[ended]
        better = places[:, :, None] < places[:, None, :]
        self.rewards[ended] = (better.sum(2) - better.sum(1)) / (self.numbered.players - 1)
        self._begin_games(ended)
        self._look(self._rows, ended, self.observations, self.masks, self.actors, self.over)
        self.over[ended] = True

    def _begin_games(self, which: Any) -> None:
        seeds = [self._seeds.next() for _ in which]
        for game, seed in zip(which.tolist(), seeds, strict=True):
            self.seeds[game] = seed
        number = len(seeds)
        pairs = np.array([[0] * number, range(number)], np.int32)
        batch_compress()(batch_hash.KEYED_START[None], batch_hash.batch_hash_keys(seeds), pairs, number, self._blocks)
        self._keyed[which] = self._blocks[:number]
        self._rows[which] = self._fresh
        self._let_chance_play(self._begin(self._rows, which, self._waiting))

    def _let_chance_play(self, number: int) -> None:
        """Draw blocks as ``games.dealer.Dealer`` does, until in every game a seat must act or the game is over."""
        while number := self._deal(self._rows, self._waiting, number, self._keyed, self._texts, self._blocks):
            codes = np.unique(self._waiting[1, :number])
            self._texts = np.pad(self._texts, ((0, max(0, codes[-1] + 1 - len(self._texts))), (0, 0)))
            self._texts[codes] = batch_hash.batch_hash_texts(
                [self._key(code).encode("ascii") for code in codes.tolist()]
            )


@cache
def _loops_of(rules: ArrayRules) -> tuple[Any, ...]:
    """Return the loops with the functions of ``rules``, compiled if numba is installed."""
    given = {one: getattr(rules, one) for one in FUNCTIONS}
    names = vars(batch_loops) | given
    for module in _modules_of(given):
        for name, one in vars(sys.modules[module]).items():
            if names.setdefault(name, one) != one and not name.startswith("__"):
                raise TypeError(f"{name} of {module} means something else in another module of the array rules")
    _compile(names)
    names["compress"] = batch_compress()
    return tuple(names[loop] for loop in LOOPS)


@cache
def batch_compress() -> Any:
    """Return the compression function of ``batch_hash``, compiled if numba is installed."""
    if numba is None:
        return batch_hash.batch_hash_compress_with_hashlib
    names = {**vars(batch_hash)}
    _compile(names)
    return names["batch_hash_compress"]


def _compile(names: dict[str, Any]) -> None:
    """Make the functions of a namespace visible to each other, compiled if numba is installed."""
    for name, one in [*names.items()]:
        if isinstance(one, FunctionType):
            copied = FunctionType(one.__code__, names, name)
            names[name] = numba.njit(copied, nogil=True) if numba else copied


def _modules_of(names: Mapping[str, Any]) -> list[str]:
    """Return the modules of ``games`` that define these functions, and the modules of ``games`` from which they import
    functions.
    """
    found: list[str] = []
    left = [*names.values()]
    while left:
        one = left.pop()
        if isinstance(one, FunctionType) and one.__module__ not in found and one.__module__.startswith("games."):
            found.append(one.__module__)
            left += vars(sys.modules[one.__module__]).values()
    return found
