"""Make puzzles from games between house bots. The positions of the decisions that cost most become puzzles.

Games of users are not used, because a puzzle must not reveal a private match. The board of a puzzle shows everything
that a spectator sees, so positions with hidden information are left out.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import islice
from random import Random
from typing import Any, Final

from games.dealer import SEED_BYTES
from games.game import CatalogueGame, HouseBot
from games.replay import Step
from games.table import Table
from luck import UNIT, Decision, GameAccount, luck_analyse, luck_value_of
from puzzles.models import Puzzle

CLEAR: Final = UNIT // 50  # the best action must lead by so much, which is two percentage points
FROM_A_GAME: Final = 3
TABLE: Final = 2  # bots in a game
OF_SEAT: Final = ("you", "actions")  # keys that a spectator's view never has, even if nothing is hidden


def puzzle_making_is_possible(game: CatalogueGame) -> bool:
    """Return whether ``game`` can have puzzles.

    For this, it needs a value function, no hidden information, and enough house bots.
    """
    ruleset = game.current
    if not luck_value_of(ruleset.id) or TABLE not in ruleset.seats or len(game.house_bots) < TABLE:
        return False
    start = Table(ruleset, TABLE, ruleset.validate(TABLE, {}), bytes(SEED_BYTES)).state
    return puzzle_making_is_open(start.view(start.actor), start.view(None))


def puzzle_making_from_play(game: CatalogueGame, seed: bytes) -> list[Puzzle]:
    """Return unsaved puzzles from one game between two house bots.

    ``seed`` determines the game and the bots. The list is empty if the game cannot have puzzles, or if no decision cost
    enough.

    Raises:
        HouseBotError: a house bot failed.
    """
    if not puzzle_making_is_possible(game):
        return []
    ruleset = game.current
    bots = Random(seed).sample(game.house_bots, TABLE)  # noqa: S311  not a secret
    table = Table(ruleset, TABLE, ruleset.validate(TABLE, {}), seed)
    acts = [bot.act() for bot in bots]
    while (state := table.state).actions():
        table.play(acts[state.actor](state.view(state.actor)))
    account = luck_analyse(record := table.record())
    if not isinstance(account, GameAccount):
        return []
    steps = list(record.replay())
    costly = sorted(filter(_is_clear, account.decisions), key=lambda one: -one.lost)
    return list(islice(_distinct(game, account.value, bots, costly, steps), FROM_A_GAME))


def _is_clear(decision: Decision) -> bool:
    """Return whether the bot missed the only best action."""
    if len(decision.options) < 2:
        return False
    best, second = decision.options[:2]
    return decision.action != best.action and best.value - second.value >= CLEAR


def puzzle_making_is_open(view: Mapping[str, Any], board: Mapping[str, Any]) -> bool:
    """Return whether ``view`` shows everything that is on the ``board``, so that nothing is hidden from the seat."""
    return all(view.get(name) == value for name, value in board.items() if name not in OF_SEAT)


def _distinct(
    game: CatalogueGame, value: str, bots: Sequence[HouseBot], costly: Sequence[Decision], steps: Sequence[Step]
) -> Iterator[Puzzle]:
    seen: set[bytes] = set()
    for one in costly:
        state = steps[one.step - 1].before
        view, board = state.view(one.seat), state.view(None)
        if not puzzle_making_is_open(view, board):
            continue
        digest = sha256(json.dumps(view, sort_keys=True).encode()).digest()
        if digest not in seen:
            seen.add(digest)
            yield Puzzle(
                game=game.name,
                ruleset=game.current.id,
                value=value,
                seat=one.seat,
                bots=[bot.title for bot in bots],
                board=board,
                view=view,
                options=[[option.action, option.value] for option in one.options],
                played=one.action,
                digest=digest,
            )
