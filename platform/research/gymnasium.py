"""One seat of a game as a Gymnasium environment; bots play the others: ``PeckingSolo("karteneck", players=3)``.

Importing this module registers ``Pecking-v1``. Requires gymnasium. Observations are ``NumberedGame.observation``. The
reward comes at the end: see ``NumberedGame.utilities``.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

from games.catalogue import FIRST, GAMES, ruleset_find_or_current
from games.dealer import SEED_BYTES
from games.numbered import NumberedGame
from games.state import CHANCE, IllegalAction
from games.table import Table
from research.opponents import Act, opponent
from research.seeding import seeding_game_seed

# With a type instead of a dtype, frombuffer takes three times as long.
FLOATS: Final = np.dtype(np.float32)
BYTES: Final = np.dtype(np.int8)


class PeckingSolo(gymnasium.Env):
    """A table of a game such as ``pickomino`` or ``heckmeck/1`` with ``players`` players, by default the fewest.

    ``opponents`` play the other seats, in turn order after the learner. If there are fewer opponents than seats, the
    list is repeated. An opponent is the name of a house bot, such as ``wise-owl``, a function from a ``LazyView`` to an
    action, or "random", which plays any legal action. The default is the site's stand-in, which answers the same view
    with the same action. House bots and "random" have their own random generators, seeded from the seed of the game. A
    function must seed its own.

    Without a ``seat``, a seat is drawn for each game. An illegal action ends the game as lost. The learner's mask is
    ``info["action_mask"]``, and also the result of ``action_masks()``.

    Raises:
        UnknownRuleset, SeatError, OptionError: the game, its number of players or its options are invalid.
        LookupError: the game has no house bot with this name.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": []}

    def __init__(
        self,
        game: str = FIRST,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        opponents: Sequence[str | Act] = (),
        seat: int | None = 0,
    ) -> None:
        ruleset = ruleset_find_or_current(game)
        self.numbered = NumberedGame(ruleset, players or ruleset.seats.start, options)
        if seat is not None and seat not in range(self.numbered.players):
            raise ValueError(f"seat {seat} does not exist: there are {self.numbered.players}, from 0")
        self._given_seat = seat
        given = opponents or [GAMES[ruleset.name].stand_in.slug]
        rivals = self.numbered.players - 1
        self._bots = [opponent(ruleset.name, given[place % len(given)]) for place in range(rivals)]
        self.action_space = Discrete(len(self.numbered.names))
        self.observation_space = Box(-1.0, 1.0, self.numbered.observation_shape, np.float32)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin a game and play up to the learner's first action. The game's seed follows from ``seed``, or is
        ``options["seed"]``: 16 bytes or their hexadecimal digits.
        """
        super().reset(seed=seed)
        given, game = (options or {}).get("seed"), self.numbered
        drawn = self.np_random.bytes(SEED_BYTES)
        place = int(self.np_random.integers(game.players))
        own = seeding_game_seed(given) if given is not None else drawn
        self.table = Table(game.ruleset, game.players, game.options, own)
        self.seat = place if self._given_seat is None else self._given_seat
        for number, bot in enumerate(self._bots):
            bot.begin(own + bytes((number,)))
        observation, info, _ = self._play_on()
        return observation, info

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Play the action with this number, and the others' actions up to the learner's next one."""
        table, name = self.table, self.numbered.names[action]
        try:
            table.play(name)
        except IllegalAction:
            observation, info, _ = self._play_on()
            return observation, self.numbered.utility_bounds[0], True, False, info | {"illegal": name}
        observation, info, over = self._play_on()
        outcome = table.outcome if over else None
        if outcome is None:
            return observation, 0.0, False, False, info
        info |= {"points": outcome.points[self.seat], "place": outcome.places[self.seat]}
        return observation, self.numbered.utilities(outcome)[self.seat], True, False, info

    def action_masks(self) -> np.ndarray:
        """Return which actions are legal, as booleans."""
        return np.frombuffer(self.numbered.mask(self.table.state), np.int8).astype(bool)

    def _play_on(self) -> tuple[np.ndarray, dict[str, Any], bool]:
        """Play the others' actions up to the learner's next one. Return the learner's observation, its info, and
        whether the game is over.
        """
        table, seat, players, bots = self.table, self.seat, self.numbered.players, self._bots
        while (actor := (state := table.state).actor) != seat and actor != CHANCE:
            table.play(bots[(actor - seat) % players - 1].act(state))
        seen = np.frombuffer(bytearray(self.numbered.observation(state, seat)), FLOATS)
        mask = np.frombuffer(bytearray(self.numbered.mask_of(state.actions())), BYTES)
        return seen, {"action_mask": mask}, actor == CHANCE


_VECTORS = f"{__name__.removesuffix('gymnasium')}vectors:PeckingVector"
gymnasium.register("Pecking-v1", entry_point=f"{__name__}:PeckingSolo", vector_entry_point=_VECTORS)
