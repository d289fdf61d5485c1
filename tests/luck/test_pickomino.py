"""The frozen value of Pickomino: the same for everyone, without bias at any roll, and right about decisions."""

import random
from hashlib import sha256
from importlib.resources import files
from math import exp, sqrt
from typing import Any

import pytest

from games.catalogue.grill.tiles import tile_worms
from games.catalogue.pickomino.board import PickominoBoard, pickomino_board_opening
from games.catalogue.pickomino.bots import sage
from games.catalogue.pickomino.position import PickominoPosition
from games.catalogue.pickomino.rules import OPTIONS, PickominoRules
from games.state import State
from luck import UNIT
from luck.grill.dice import MOST, Pays, TurnState
from luck.grill.solving import turn_solve_plainly, turn_solve_with_numpy
from luck.pickomino.turns import TABLE, PickominoJudge, PickominoTurn
from luck.pickomino.value import PICKOMINO_V1
from tests.luck.games import chance_nodes, mean_luck

BOTS = ("greedy", "cautious", "random", "greedy", "cautious", "random", "greedy")
FROZEN, COMPUTED = "ec40cf1e", "68b6fe9d"  # heads of SHA-256

OPTION_SETS: list[dict[str, Any]] = [
    {},
    {"steal": "mandatory", "start": "random"},
    {"lower_tile": "any_lower", "flip_without_return": True},
    *({"short_variant": value, "flip_without_return": True} for value in OPTIONS["short_variant"].allowed[1:]),
]


def test_what_is_frozen_under_its_id_has_not_changed() -> None:
    assert sha256(files("luck.pickomino").joinpath("v1.json").read_bytes()).hexdigest()[:8] == FROZEN
    boards = [some_board(2 + number % 6, random.Random(number)) for number in range(24)]
    computed = repr([(PICKOMINO_V1.shares(board), PickominoTurn(board, PICKOMINO_V1)._solved) for board in boards])
    assert sha256(computed.encode()).hexdigest()[:8] == COMPUTED


def test_the_value_knows_every_option_that_the_game_has_today() -> None:
    assert PICKOMINO_V1.options == {name: option.allowed for name, option in OPTIONS.items()}


@pytest.mark.parametrize("players", range(2, 8))
@pytest.mark.parametrize("options", OPTION_SETS, ids=str)
def test_the_luck_of_a_roll_has_the_mean_zero(players: int, options: dict[str, Any]) -> None:
    """Over every roll that the engine may deal, each with its own weight: the bars are roundings to 1e-9 alone."""
    judge = PickominoJudge(PICKOMINO_V1)
    nodes = list(chance_nodes(BOTS[:players], players, 0.06, **options))
    assert nodes
    worst = max(abs(mean) for state in nodes[:8] for mean in mean_luck(judge, state))
    print(f"{len(nodes[:8])} chance nodes, worst mean luck {worst:.3f}e-9")
    assert worst <= 1


def test_with_numpy_and_without_it_turns_have_the_same_values() -> None:
    nodes = [state for key in range(3) for state in chance_nodes(BOTS[:2], key, 0.1)]
    turns = {pays_of(state) for state in nodes}
    assert len(turns) > 10
    for pays in sorted(turns)[:20]:
        assert turn_solve_plainly(TABLE, [pays], None) == turn_solve_with_numpy(TABLE, [pays], None)


@pytest.mark.slow
def test_with_numpy_and_without_it_the_turns_of_a_thousand_games_have_the_same_values() -> None:
    nodes = (pays_of(state) for key in range(1000) for state in chance_nodes(BOTS[: 2 + key % 6], key, 0.05))
    compared = 0
    for pays in set(nodes):
        assert turn_solve_plainly(TABLE, [pays], None) == turn_solve_with_numpy(TABLE, [pays], None)
        compared += 1
    print(f"{compared} turns of 1000 games")
    assert compared > 1000


def pays_of(state: State) -> Pays:
    assert isinstance(state, PickominoPosition)
    return PickominoTurn(state.board, PICKOMINO_V1)._pays


def test_failing_is_no_choice_even_where_it_would_pay_better() -> None:
    """Else a roll would be worth more than the mean of what it may lead to."""
    pays = (*[0] * (MOST + 1), *[UNIT] * (MOST + 2))
    values, rolling = turn_solve_with_numpy(TABLE, [pays], None)
    assert rolling[TABLE.number[TABLE.opening]] < UNIT  # eight dice always show a face to take
    # All six faces: no more to roll, and a worm to stop with.
    full = TABLE.number[TurnState(63, 1, 1 + 2 + 3 + 4 + 5 + 10, golden=False, double=False)]
    assert values[full] == 0


def test_where_worms_are_paid_it_plays_as_the_sage_does() -> None:
    """Whose calculation it shares, but for failing."""
    pays = [max(0, total - 20) * 10**6 for total in range(MOST + 1)]
    wanted, rolling = sage.solve.__wrapped__((*map(float, pays[:41]), 0.0))
    values, ours = turn_solve_with_numpy(TABLE, [(*pays, *[0] * (MOST + 2))], None)
    for state, number in TABLE.number.items():
        assert values[number] == pytest.approx(wanted[sage.NUMBER[state[:3]]], abs=10)
        assert ours[number] == pytest.approx(rolling[sage.NUMBER[state[:3]]], abs=10)


def test_the_shares_of_a_board_follow_the_formula() -> None:
    rng = random.Random(7)
    for players in range(2, 8):
        board = some_board(players, rng)
        strengths = [strength(board, seat) for seat in range(players)]
        for seat, share in enumerate(PICKOMINO_V1.shares(board)):
            beats = [1 / (1 + exp(other - strengths[seat])) for at, other in enumerate(strengths) if at != seat]
            assert share / UNIT == pytest.approx(sum(beats) / len(beats), abs=2e-9)


def some_board(players: int, rng: random.Random) -> PickominoBoard:
    tiles = rng.sample(range(21, 37), 12)
    stacks = tuple(tuple(tiles[seat::players][: rng.randrange(3)]) for seat in range(players))
    held = {tile for stack in stacks for tile in stack}
    grill = sum(1 << tile for tile in range(21, 37) if tile not in held)
    return pickomino_board_opening(PickominoRules(players))._replace(
        seat=rng.randrange(players), stacks=stacks, grill=grill
    )


def strength(board: PickominoBoard, seat: int) -> float:
    weights = (0.001953, 0.340878, 0.462319, -0.000497, -0.170701, 0.815694, 0.074259, 0.034985, -0.037642)
    phi = 1 / (board.grill.bit_count() + 1)
    stack = board.stacks[seat]
    own, top, high = sum(map(tile_worms, stack)), tile_worms(stack[-1]) if stack else 0, max(stack, default=0)
    away = (board.seat - seat) % len(board.stacks)
    high_phi = (high - 28) * 0.1 * phi if stack else -0.8 * phi
    to_move = float(away == 0)
    numbers = (own, own * sqrt(phi), own * phi, top, top * phi, high_phi)
    numbers += (to_move, to_move * phi, away / len(board.stacks) * sqrt(phi))
    return sum(map(float.__mul__, weights, map(float, numbers)))
