"""One seat of a game as a Gymnasium environment; bots have the others: ``PeckingSolo("karteneck", players=3)``.

Importing this module registers ``Pecking-v1``. Needs gymnasium. Observations are ``NumberedGame.observation``, the
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

# Given a type in place of its dtype, frombuffer takes three times as long.
FLOATS: Final = np.dtype(np.float32)
BYTES: Final = np.dtype(np.int8)


class PeckingSolo(gymnasium.Env):
    """A table of ``players``, by default the fewest, at a game such as ``pickomino`` or ``heckmeck/1``.

    ``opponents`` sit at the other seats, in turn order from the learner on, and again from the first if there are too
    few: house bots by name, such as ``wise-owl``, functions from a ``LazyView`` to an action, or "random", which plays
    any legal action. By default all are the site's stand-in, which plays the same action for the same view. House bots
    and "random" draw from random numbers of their own, which follow from the seed of the game; a function is to see to
    its own.

    Without a ``seat`` it is drawn for each game. An action that is not legal ends the game as lost; the learner's mask
    is ``info["action_mask"]``, and ``action_masks()`` for those who ask so.

    Raises:
        UnknownRuleset, SeatError, OptionError: there is no such game, or not for so many, or not so.
        LookupError: it has no house bot of that name.
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
            raise ValueError(f"seat: {seat} is none of {self.numbered.players}")
        self._given_seat = seat
        given = opponents or [GAMES[ruleset.name].stand_in.slug]
        rivals = self.numbered.players - 1
        self._bots = [opponent(ruleset.name, given[place % len(given)]) for place in range(rivals)]
        self.action_space = Discrete(len(self.numbered.names))
        self.observation_space = Box(-1.0, 1.0, self.numbered.observation_shape, np.float32)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin a game and play up to the learner's first action. Its own seed follows from ``seed``, or is
        ``options["seed"]``: 16 bytes, or their hexadecimal digits.
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
        """Play the action with this number, and the others' up to the learner's next one."""
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
        """Return which actions are legal."""
        return np.frombuffer(self.numbered.mask(self.table.state), np.int8).astype(bool)

    def _play_on(self) -> tuple[np.ndarray, dict[str, Any], bool]:
        """Play the others' actions up to the learner's next one. Return what it sees, and whether the game is over."""
        table, seat, players, bots = self.table, self.seat, self.numbered.players, self._bots
        while (actor := (state := table.state).actor) != seat and actor != CHANCE:
            table.play(bots[(actor - seat) % players - 1].act(state))
        seen = np.frombuffer(bytearray(self.numbered.observation(state, seat)), FLOATS)
        mask = np.frombuffer(bytearray(self.numbered.mask_of(state.actions())), BYTES)
        return seen, {"action_mask": mask}, actor == CHANCE


_VECTORS = f"{__name__.removesuffix('gymnasium')}vectors:PeckingVector"
gymnasium.register("Pecking-v1", entry_point=f"{__name__}:PeckingSolo", vector_entry_point=_VECTORS)
