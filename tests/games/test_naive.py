"""In whole random games of any options the engine allows and does what a plain reading of the rule sheets does."""

import random
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from games.catalogue import current
from games.dealer import Dealer
from games.state import CHANCE, State
from pecking.testing.random_games import random_game_options_needed, random_game_seed
from tests.games.naive import Decision, Naive
from tests.games.naive.grill import AtTheGrill
from tests.games.naive.karteneck import AtTheCorner
from tests.games.naive.laghetti import BetweenTheLakes

GAMES = 12
READERS: Mapping[str, Callable[[int, Mapping[str, Any]], Naive]] = {
    "pickomino": AtTheGrill,
    "heckmeck": AtTheGrill,
    "karteneck": AtTheCorner,
    "laghetti": BetweenTheLakes,
}
LEFT_TO_CHANCE = ("start", "first_dealer")  # the reader lets the first seat begin


@pytest.mark.parametrize("name", READERS)
def test_the_engine_plays_as_the_rule_sheets_read(name: str) -> None:
    ruleset = current(name)
    for number in range(GAMES):
        rng = random.Random(f"{name} {number}")
        players = rng.choice(ruleset.seats)
        chosen = {
            option: rng.choice(kind.allowed) for option, kind in ruleset.options.items() if option not in LEFT_TO_CHANCE
        }
        options = ruleset.validate(players, chosen | random_game_options_needed(ruleset, players))
        compare(
            ruleset.opening(players, options),
            READERS[name](players, options),
            rng,
            Dealer(random_game_seed(name, number)),
        )


def compare(state: State, reader: Naive, rng: random.Random, dealer: Dealer) -> None:
    game, zeal = reader.game(), rng.random()
    decision = next(game, None)
    while decision is not None:
        assert_same_decision(state, decision)
        request = state.chance()
        action = keen(state.actions(), rng, zeal) if request is None else dealer.deal(request)
        state = state.play(action)
        try:
            decision = game.send(action)
        except StopIteration:
            decision = None
        if facts := reader.facts():
            view = state.view(None)
            assert {name: view[name] for name in facts} == facts
    outcome = state.outcome()
    assert outcome is not None
    merits = reader.points()
    assert outcome.points == tuple(points for points, _ in merits)
    assert outcome.places == tuple(1 + sum(other > own for other in merits) for own in merits)


def assert_same_decision(state: State, decision: Decision) -> None:
    assert state.actor == decision.seat
    if isinstance(decision.ways, int):
        assert state.actor == CHANCE
        assert len(state.actions()[0].split()) == 1 + decision.ways
    else:
        assert frozenset(state.actions()) == decision.ways


def keen(actions: tuple[str, ...], rng: random.Random, zeal: float) -> str:
    """At random, but rather for worms and thefts, and against stopping or passing early."""
    better = [
        one for one in actions if one in ("steal", "take W") or (one not in ("stop", "pass") and rng.random() < zeal)
    ]
    return rng.choice(better or actions)
