"""Bots run in this process, for their author's own machine. Nothing is guarded: only for code that is trusted."""

import random
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from games.dealer import block_seed
from games.record import Record
from games.ruleset import Ruleset
from games.state import IllegalAction, View
from games.table import Table


class LocalBotError(Exception):
    """A bot's file that is no bot, or a bot that failed in a game."""


class LocalBot:
    """A bot's file, made ready once for each game.

    Raises:
        LocalBotError: it cannot be loaded, or defines neither ``act`` nor ``Bot``.
    """

    def __init__(self, path: Path) -> None:
        self.name = path.stem
        self._module = _load(path)
        if not any(callable(getattr(self._module, name, None)) for name in ("Bot", "act")):
            raise LocalBotError(f"{path}: defines neither act(view) nor class Bot")

    def sit(self, table: Mapping[str, Any]) -> tuple[Callable[[View], str], Callable[[Mapping[str, Any]], object]]:
        """The bot's ``act`` and ``game_over`` for one game. ``Bot`` wins over ``act`` where a file has both."""
        if hasattr(self._module, "Bot"):
            bot = self._module.Bot(dict(table))
            return bot.act, getattr(bot, "game_over", _ignore)
        return self._module.act, _ignore


def play_game(ruleset: Ruleset, bots: list[LocalBot], options: Mapping[str, Any], seed: bytes) -> Record:
    """One game to its end; ``random`` is seeded from ``seed``.

    Raises:
        LocalBotError: a bot raised or answered with an illegal action.
        SeatError, OptionError: see ``Ruleset.validate``.
    """
    table = Table(ruleset, len(bots), options, seed)
    luck = int.from_bytes(block_seed(seed, "bots"), "big")
    random.seed(luck)
    if "numpy" in sys.modules:  # a bot's: the engine itself does without
        sys.modules["numpy"].random.seed(luck % 2**32)
    common = {"ruleset": ruleset.id, "options": table.options, "players": len(bots)}
    seated = [bot.sit(common | {"seat": seat, "seed": luck + seat}) for seat, bot in enumerate(bots)]
    while not table.over:
        seat = table.actor
        try:
            table.play(seated[seat][0](table.view(seat)))
        except IllegalAction as error:
            raise LocalBotError(f"{bots[seat].name}, seat {seat}: {error}") from error
        except Exception as error:
            raise LocalBotError(f"{bots[seat].name}, seat {seat}: {type(error).__name__}: {error}") from error
    outcome = table.outcome
    if outcome is not None:
        for _, game_over in seated:
            game_over({"points": outcome.points, "places": outcome.places})
    return table.record()


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a bot answered to one saved view: whatever it returned, and the seconds of processor time it took."""

    answer: object
    legal: bool
    cpu: float


def replay_action(path: Path, view: Mapping[str, Any], *, seed: int = 0) -> Replayed:
    """One action again: the bot made afresh, without what it may have remembered of earlier turns.

    Raises:
        LocalBotError: it cannot be loaded. What the bot itself raises is let through, for its traceback.
    """
    bot = LocalBot(path)
    random.seed(seed)
    names = {"ruleset": "game", "options": "options", "players": "players", "seat": "you"}
    act, _ = bot.sit({name: view.get(key) for name, key in names.items()} | {"seed": seed})
    began = time.process_time()
    answer = act(view)
    return Replayed(answer, answer in view.get("actions", ()), time.process_time() - began)


def _load(path: Path) -> ModuleType:
    if not path.is_file():
        raise LocalBotError(f"{path}: no such file")
    spec = spec_from_file_location(f"local_bot_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise LocalBotError(f"{path}: not a Python file")
    module = module_from_spec(spec)
    sys.path.insert(0, str(path.resolve().parent))  # as in the cage, the files beside it can be imported
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise LocalBotError(f"{path}: {type(error).__name__}: {error}") from error
    return module


def _ignore(result: Mapping[str, Any]) -> None:
    """For bots that do not ask how a game ended."""
