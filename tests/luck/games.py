"""Games of house bots, and positions where chance comes next."""

import random
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any

from games.catalogue import find
from games.dealer import Dealer, block_seed
from games.record import Record
from games.state import CHANCE, State
from games.table import Table
from luck.judge import Judge


def played(
    bots: Sequence[str], key: int, ruleset: str = "pickomino/1", faults: dict[int, int] | None = None, **options: Any
) -> Record:
    """A finished game; ```bots`` by seat. ``faults``: seats that fall out, with the number of actions before that."""
    rules = find(ruleset)
    table = Table(rules, len(bots), options, block_seed(b"luck", key))
    acts = [_act(rules.name, bot) for bot in bots]
    random.seed(key)
    faults, made = dict(faults or {}), 0
    while not table.over:
        seat = table.actor
        cause = "crashed" if made >= faults.get(seat, 10**6) else None
        table.play(acts[seat](table.view(seat)), intervention=cause)
        made += 1
    return table.record()


def chance_nodes(
    bots: Sequence[str], key: int, odds: float, ruleset: str = "pickomino/1", **options: Any
) -> Iterator[State]:
    """Some positions of a game where chance comes next, each with the probability ``odds``."""
    rules, luck = find(ruleset), random.Random(key)
    random.seed(key)
    acts = [_act(rules.name, bot) for bot in bots]
    dealer, state = Dealer(block_seed(b"nodes", key)), rules.start(len(bots), options)
    while state.outcome() is None:
        request = state.chance()
        if request is None:
            state = state.play(acts[state.actor](state.view(state.actor)))
            continue
        assert state.actor == CHANCE
        if luck.random() < odds or state.turn == 0:
            yield state
        state = state.play(dealer.deal(request))


def mean_luck(judge: Judge, state: State) -> list[float]:
    """By seat, in 1e-9 shares."""
    weights = {action: state.weight(action) for action in state.actions()}
    led = {action: judge.led(state, state.play(action)) for action in weights}
    among = sum(weights.values())
    return [
        (sum(led[action][seat] * many for action, many in weights.items()) - base * among) / among
        for seat, base in enumerate(judge.at(state))
    ]


def _act(game: str, bot: str) -> Callable[[Any], str]:
    if bot == "aimless":
        return lambda view: random.choice(view["actions"])
    act: Callable[[Any], str] = import_module(f"games.catalogue.{game}.bots.{bot}").act
    return act
