"""A batch beside a table of the engine for each of its games, which must agree at every step.

``python -m tests.researchers.batches all 100000`` compares so many games of each game, of every option and number of
players, on all cores, and counts them case by case; of one game it goes on from a case:
``... batches heckmeck 100000 7``.
"""

import os
import string
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache, partial
from multiprocessing import get_context
from typing import Any

import numpy as np

from games.catalogue import GAMES
from games.dealer import SEED_BYTES, Dealer
from games.ruleset import Ruleset
from games.state import CHANCE
from games.table import Table
from pecking.testing.random_games import Case, random_game_cases
from research import batch_hash
from research.batch import BatchGames, batch_compress


def has_arrays(ruleset: Ruleset) -> bool:
    return ruleset.in_numbers is not None and ruleset.in_numbers.arrays is not None


class Following:
    """``deep``: of so many observations one is compared."""

    def __init__(
        self, ruleset: Ruleset, players: int, options: dict[str, Any], games: int, deep: int = 1, seed: int = 0
    ) -> None:
        self.batch = BatchGames(ruleset.id, players, options, games)
        self.batch.reset(seed or len(options))
        self.deep = deep
        self.ended = 0
        self.game = self.batch.numbered
        self.tables = [self._table(seed) for seed in self.batch.seeds]
        self._mask = lru_cache(1 << 14)(self._mask_of)  # by the legal actions, which are often the same
        self._rng = np.random.default_rng(players)
        # Random players hardly end a game: these like worms, high faces and stopping.
        self._liking = np.linspace(1, 2, len(self.game.names))
        self._liking[5] = 8

    def play(self, steps: int) -> None:
        for step in range(steps):
            self._step(step)

    def play_games(self, number: int) -> None:
        step = 0
        while self.ended < number:
            self._step(step)
            step += 1

    def _table(self, seed: bytes) -> Table:
        return Table(self.game.ruleset, self.game.players, self.game.options, seed)

    def _mask_of(self, actions: tuple[str, ...]) -> bytes:
        legal = {*actions}
        return bytes([name in legal for name in self.game.names])

    def _step(self, step: int) -> None:
        batch, names = self.batch, self.game.names
        masks, actors = batch.masks.tobytes(), batch.actors.tolist()
        for place, table in enumerate(self.tables):
            state = table.state
            assert state.actor == actors[place]
            assert self._mask(state.actions()) == masks[place * len(names) : (place + 1) * len(names)], state
            if not (step + place) % self.deep:
                self._compare_seen(table, state.actor, batch.observations[place])
        chance = 1 - self._rng.random(batch.masks.shape, np.float32)  # never 0: it may be that of the only legal action
        liked = chance * self._liking * batch.masks
        actions = liked.argmax(1)
        batch.step(actions)
        over = batch.over.tolist()
        for place, (table, action) in enumerate(zip(self.tables, actions.tolist(), strict=True)):
            table.play(names[action])
            assert (table.actor == CHANCE) == over[place], table.state
            if over[place]:
                self._compare_end(place, table)
                self.tables[place] = self._table(batch.seeds[place])
        assert not batch.rewards[~batch.over].any()

    def _compare_end(self, place: int, table: Table) -> None:
        batch, outcome = self.batch, table.outcome
        assert outcome is not None
        self.ended += 1
        assert tuple(batch.points[place]) == outcome.points
        assert tuple(batch.places[place]) == outcome.places
        assert np.allclose(batch.rewards[place], self.game.utilities(outcome))
        for seat in range(self.game.players):
            self._compare_seen(table, seat, batch.last_observations[place, seat])

    def _compare_seen(self, table: Table, seat: int, floats: Any) -> None:
        expected = self.game.observation(table.state, seat)
        if expected != floats.tobytes():
            right = np.frombuffer(expected, np.float32)
            differ = {name: (right[at], floats[at]) for name, at in self.game.layout.items()}
            wrong = [f"{name}: {a} is {b}" for name, (a, b) in differ.items() if (a != b).any()]
            raise AssertionError(f"seat {seat}: {wrong}, {table.state}")


def compare_blocks_with_the_dealer(games: int) -> None:
    """Compare blocks of so many games, of texts of all lengths."""
    seeds = [bytes(range(game, game + SEED_BYTES)) for game in range(games)]
    texts = [string.ascii_lowercase.encode().center(32)[:length] for length in range(1, 33)]
    first = np.array([[0] * games, range(games)], np.int32)
    keyed, blocks = np.zeros((games, batch_hash.STATE), np.uint64), np.zeros((games, batch_hash.STATE), np.uint64)
    batch_compress()(batch_hash.KEYED_START[None], batch_hash.batch_hash_keys(seeds), first, games, keyed)
    messages = batch_hash.batch_hash_texts(texts)
    for shift in range(len(texts)):
        wanted = [(game + shift) % len(texts) for game in range(games)]
        batch_compress()(keyed, messages, np.array([range(games), wanted], np.int32), games, blocks)
        for game, text in enumerate(wanted):
            assert blocks[game].tobytes() == Dealer(seeds[game]).block(texts[text].decode())


def array_cases(name: str) -> list[Case]:
    return [one.values[0] for one in random_game_cases(GAMES[name]) if has_arrays(one.values[0][0])]


def compared(name: str, each: int, at: int) -> int:
    """Compare ``each`` games of the case with this number, which is also its seed; return how many it were."""
    ruleset, players, options = array_cases(name)[at - 1]
    following = Following(ruleset, players, options, games=min(each, 500), deep=50, seed=at)
    following.play_games(each)
    return following.ended


def main(game: str = "all", number: int = 100_000, first: int = 1) -> None:
    """Play about ``number`` games of ``game`` or of all that have array rules, as many of each case of
    ``random_game_cases``, from the case ``first`` of a game on; each case has seeds of its own."""
    with ProcessPoolExecutor(len(os.sched_getaffinity(0)), mp_context=get_context("fork")) as pool:
        for name in GAMES if game == "all" else [game]:
            most = len(array_cases(name))
            each, numbers = -(-number // max(1, most)), range(first, most + 1)
            ended, began = 0, time.monotonic()
            for at, more in zip(numbers, pool.map(partial(compared, name, each), numbers), strict=True):
                ended += more
                took = time.monotonic() - began
                print(f"{name}: case {at} of {most}, {ended} games are the engine's, {took:.0f} s", flush=True)


if __name__ == "__main__":
    game, *numbers = sys.argv[1:] or ["all"]
    main(game, *map(int, numbers))
