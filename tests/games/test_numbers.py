"""Games in numbers: actions, chance, observations; states from their facts; hidden cards dealt again; forked tables."""

import json
import random
from array import array
from collections import Counter, defaultdict
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from games.catalogue import GAMES, current, find
from games.catalogue.karteneck.cards import cards_names
from games.numbered import NotNumbered, NumberedGame
from games.ruleset import Ruleset, ruleset_options_with_needed
from games.state import CHANCE, State
from games.table import Table
from pecking.testing import checks as conformance
from pecking.testing.checks import check_actions, check_outcome, check_record
from pecking.testing.random_games import (
    Case,
    random_game_case_name,
    random_game_seed,
    random_game_states,
    random_game_table,
)
from tests.games.versions import VERSIONS, cases


def _marked(case: Any) -> Any:
    """The default run has the fewest players of every game with the defaults, and the most with other options."""
    ruleset, players, options = case.values[0]
    daily = not case.marks and (players == ruleset.seats.start if not options else len(options) == len(ruleset.options))
    return case if daily or case.marks else pytest.param(*case.values, marks=pytest.mark.slow)


every_case = pytest.mark.parametrize("case", [_marked(case) for case in cases()], ids=random_game_case_name)
every_ruleset = pytest.mark.parametrize("ruleset", VERSIONS, ids=str)
SECRETIVE = ("laghetti", "karteneck")
# What of a view an observation leaves out: what has passed, what the options say, and what follows from the rest.
LEFT_OUT = {"game", "options", "you", "last", "last_trick", "sheet", "tricks", "schedule", "turn", "actions", "rounds"}


def game_of(case: Case) -> NumberedGame:
    ruleset, players, options = case
    return NumberedGame(ruleset, players, options)


def some_states(case: Case, most: int, key: int = 11) -> list[State]:
    """So many states of a random game, from its first to its last."""
    ruleset, players, options = case
    states = states_of(ruleset, players, json.dumps(options), key)
    return [*states[:: 1 + len(states) // most], states[-1]]


@cache
def states_of(ruleset: Ruleset, players: int, options: str, key: int) -> list[State]:
    steps = list(random_game_states(ruleset, players, json.loads(options), key))
    state, action = steps[-1]
    return [*(before for before, _ in steps), state.play(action)]


@every_case
def test_actions_and_chance_in_numbers_say_what_the_texts_say(case: Case) -> None:
    game = game_of(case)
    assert len(set(game.names)) == len(game.names)
    for state in some_states(case, 60):
        odds, legal = state.chance_outcomes(), game.legal(state)
        if state.actor == CHANCE:
            actions = state.actions()
            assert legal == []
            assert not any(game.mask(state))
            assert list(odds.codes) == list(range(len(actions)))
            assert len(actions) <= game.chance_ways
            whole = sum(map(state.weight, actions))
            assert list(odds.probabilities) == [state.weight(action) / whole for action in actions]
            assert not actions or abs(sum(odds.probabilities) - 1) < 1e-12
            assert state.chance_outcomes().probabilities is odds.probabilities
            assert all(game.play(state, code) == state.play(actions[code]) for code in odds.codes[:3])
        else:
            assert not any(odds)
            assert legal == sorted(legal)
            assert {game.names[code] for code in legal} == set(state.actions())
            assert [code for code, may in enumerate(game.mask(state)) if may] == legal
            assert all(game.play(state, code) == state.play(game.names[code]) for code in legal[:3])


@every_case
def test_an_observation_is_a_function_of_the_view_and_covers_all_that_matters(case: Case) -> None:
    game = game_of(case)
    (size,) = game.observation_shape
    assert [part.stop for part in game.layout.values()][-1] == size
    buffer = game.buffer()
    seen: dict[int, dict[bytes, str]] = defaultdict(dict)
    for state in some_states(case, 100):
        for seat in range(game.players):
            observed = game.observation(state, seat)
            game.observe_into(state, seat, buffer)
            assert buffer.tobytes() == observed
            assert len(observed) == 4 * size
            assert -1 <= min(buffer) <= max(buffer) <= 1
            view = state.view(seat)
            matters = json.dumps({name: fact for name, fact in view.items() if name not in LEFT_OUT})
            if state.actor != CHANCE:
                assert seen[seat].setdefault(observed, matters) == matters


@every_case
def test_every_part_of_an_observation_is_about_something(case: Case) -> None:
    """None of its parts is the same throughout a few whole games, but for what one of the options takes away."""
    ruleset, players, options = case
    if options.keys() != ruleset_options_with_needed(ruleset, players, {}).keys() or players > 3:
        return  # the game of many random players ends before somebody has won this or that
    game, found = game_of(case), defaultdict(set)
    for key in range(11, 19):
        for state in some_states(case, 400, key):
            observed = memoryview(game.observation(state, 0)).cast("f").tolist()
            for name, part in game.layout.items():
                found[name].add(tuple(observed[part]))
    assert [name for name, values in found.items() if len(values) == 1] == []


@every_case
def test_a_state_comes_back_from_its_facts_and_goes_on_alike(case: Case) -> None:
    game = game_of(case)
    for state in some_states(case, 12):
        again = game.from_facts(json.loads(json.dumps(state.facts())))
        assert game.from_facts(state.facts()) == again
        rng = random.Random(13)
        for _ in range(40):
            assert again.facts() == state.facts()
            assert (again.actor, again.turn, again.actions()) == (state.actor, state.turn, state.actions())
            assert (again.outcome(), again.chance()) == (state.outcome(), state.chance())
            assert all(game.observation(again, seat) == game.observation(state, seat) for seat in range(game.players))
            if not (actions := state.actions()):
                break
            action = rng.choice(actions)
            state, again = state.play(action), again.play(action)


@every_ruleset
def test_what_are_no_facts_of_this_game_is_refused(ruleset: Ruleset) -> None:
    game = NumberedGame(ruleset, ruleset.seats.start)
    facts = list(game.opening.facts())
    other = NumberedGame(ruleset, ruleset.seats.start + 1).opening.facts()
    elsewhere = next(one for one in GAMES.values() if one.name != ruleset.name).current
    alien = NumberedGame(elsewhere, elsewhere.seats.start).opening.facts()
    for wrong in ((), None, 7, "facts", facts[:-1], [*facts, 0], [facts[0], *[None] * (len(facts) - 1)], other, alien):
        with pytest.raises(ValueError, match=f"not the facts of a state of {ruleset}"):
            game.from_facts(wrong)


@every_case
def test_a_redealt_state_looks_the_same_to_its_seat_and_is_one_of_the_game(case: Case) -> None:
    ruleset, players, _ = case
    game, rng = game_of(case), random.Random(14)
    for state in some_states(case, 12):
        for seat in range(players):
            dealt = state.resample(seat, rng)
            assert dealt.view(seat) == state.view(seat)
            assert (dealt.actor, dealt.turn, dealt.event()) == (state.actor, state.turn, state.event())
            assert seat != state.actor or dealt.actions() == state.actions()
            assert game.observation(dealt, seat) == game.observation(state, seat)
            assert conformance.check_schema_of(ruleset).is_valid(dealt.view(None))
            check_all_cards_are_there(ruleset, dealt)
            check_actions(dealt, players, game.names)
            # Nothing but the view and the dice decides: what looks alike is dealt again alike.
            assert dealt.resample(seat, random.Random(5)) == state.resample(seat, random.Random(5))
            assert ruleset.name in SECRETIVE or dealt is state


def check_all_cards_are_there(ruleset: Ruleset, state: Any) -> None:
    """What is in the box is somewhere, once; the tags of worms and the lakes are all different ones."""
    if ruleset.name == "karteneck":
        view = state.view(None)
        laid = [*view["hands"], *view["displays"], view["discard"]]
        everywhere = Counter(card for pile in laid for card in pile)
        everywhere.update(cards_names(state.cards.deck))
        assert everywhere == Counter(dict.fromkeys("12345", 17) | {f"W{tag}": 1 for tag in range(1, 26)})
    elif ruleset.name == "laghetti":
        played = [card for trick in state.tricks for card in trick.cards] + [*state.cards]
        cards = [card for hand in state.hands for card in hand] + played
        assert len(set(cards)) == len(cards)
        assert all(list(hand) == sorted(hand) for hand in state.hands)


@pytest.mark.parametrize("name", SECRETIVE)
def test_a_game_is_played_to_its_end_from_redealt_cards(name: str) -> None:
    ruleset, rng = current(name), random.Random(15)
    state: State = ruleset.start(3, {})
    while actions := state.actions():
        odds = state.chance_outcomes()
        state = state.play(actions[rng.choices(*odds)[0]] if state.actor == CHANCE else rng.choice(actions))
        state = state.resample(rng.randrange(3), rng)
    outcome = state.outcome()
    assert outcome is not None
    check_outcome(outcome, 3)


def test_all_deals_are_equally_likely() -> None:
    """Two lakes are hidden from the first seat among 23: each of the others holds each card equally often."""
    rng = random.Random(16)
    state: State = current("laghetti").start(3, {})
    while state.actor == CHANCE:
        state = state.play(rng.choice(state.actions()))
    own = state.view(0)["hands"][0]
    dealt: Counter[tuple[int, int]] = Counter()
    for _ in range(23 * 100):
        hands = state.resample(0, rng).view(None)["hands"]
        assert hands[0] == own
        dealt.update((seat, hands[seat][0]) for seat in (1, 2))
    assert len(dealt) == 2 * 23
    spread = sum((times - 100) ** 2 / 100 for times in dealt.values())
    assert spread < 86  # chi-squared with 44 degrees of freedom: one in 10,000


@every_case
def test_a_forked_table_goes_on_by_itself(case: Case) -> None:
    ruleset, players, options = case
    table, rng = Table(ruleset, players, options, random_game_seed(17)), random.Random(17)
    while not table.over and len(table.record().actions) < 20:
        table.play(rng.choice(table.state.actions()))
    before = table.record()
    same, other = table.fork(), table.fork(random_game_seed(18))
    for one in (same, other):
        rng = random.Random(1)
        while not one.over:
            one.play(rng.choice(one.state.actions()))
    assert table.record() == before
    check_record(same.record())
    assert same.record().actions[: len(before.actions)] == before.actions
    assert other.over
    if other.state is not same.state and not table.over:
        with pytest.raises(ValueError, match="two seeds"):
            other.record()


def test_a_fork_with_another_seed_has_other_luck_and_a_bad_seed_is_refused() -> None:
    table = Table(current("pickomino"), 2, {}, random_game_seed(19))
    rolls = set()
    for number in range(20):
        fork = table.fork(random_game_seed("fork", number))
        fork.play(fork.state.actions()[0])
        fork.play("roll")
        rolls.add(str(fork.view(None)["rolled"]))
    assert len(rolls) > 10
    assert table.fork(table.seed).record() == table.record()
    with pytest.raises(ValueError, match="16 bytes"):
        table.fork(b"short")


@every_ruleset
def test_utilities_are_shares_of_opponents_beaten_around_zero(ruleset: Ruleset) -> None:
    for players in ruleset.seats:
        game = NumberedGame(ruleset, players)
        outcome = random_game_table(ruleset, players, game.options, 20).outcome
        assert outcome is not None
        utilities = game.utilities(outcome)
        least, most = game.utility_bounds
        assert least <= min(utilities) <= max(utilities) <= most
        assert abs(sum(utilities)) < 1e-12
        assert utilities == tuple(float(2 * one - 1) for one in shares(outcome.places))


def shares(places: tuple[int, ...]) -> list[Fraction]:
    rivals = len(places) - 1
    return [Fraction(sum(2 * (own < one) + (own == one) for one in places) - 1, 2 * rivals) for own in places]


def test_bounds_are_named_and_wrong_buffers_and_rulesets_are_refused() -> None:
    game = NumberedGame(find("karteneck/2"), 6)  # with the option that six need
    assert game.options["max_players"] == 6
    with pytest.raises(ValueError, match=r"."):
        game.observe_into(game.opening, 0, array("f", [0.0]))
    with pytest.raises(TypeError):
        game.observe_into(game.opening, 0, b"\0" * 4 * game.observation_shape[0])
    with pytest.raises(NotNumbered, match="laghetti/1"):
        NumberedGame(replace(current("laghetti"), in_numbers=None), 3)
