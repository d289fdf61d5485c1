"""The frozen value of Heckmeck: the same for everyone, without bias at any roll, and right about decisions."""

from collections.abc import Sequence
from hashlib import sha256
from importlib.resources import files
from typing import Any

import pytest

from games.catalogue.heckmeck.board import HeckmeckBoard, heckmeck_board_standing
from games.catalogue.heckmeck.position import HeckmeckPosition
from games.catalogue.heckmeck.rules import OPTIONS
from games.state import CHANCE, State
from luck import UNIT, GameAccount, Unanalysed, analysis, luck_analyse
from luck.grill.board_value import BoardValue
from luck.grill.solving import turn_solve_plainly, turn_solve_with_numpy
from luck.heckmeck.turns import HeckmeckJudge, HeckmeckTurn, heckmeck_turns_ahead
from luck.heckmeck.value import HECKMECK_V1, HECKMECK_V2, LAST, heckmeck_value_v2_features
from luck.shares import MOMENTS
from tests.luck.games import chance_nodes, mean_luck, played

BOTS = ("cautious", "random", "cautious", "cautious", "random", "cautious", "cautious")
Value = BoardValue[HeckmeckBoard]
VALUES = (HECKMECK_V1, HECKMECK_V2)
each_value = pytest.mark.parametrize("value", VALUES, ids=("v1", "v2"))

OPTION_SETS: list[dict[str, Any]] = [
    {},
    {"steal": "mandatory", "start": "random", "golden_die_use": "always"},
    {"steal": "optional", "canned": "choice", "end_ignores_11_13": True},
    {"golden_die_faces": ["W"] * 6, "low_tiles_one_per_player": True},
]


@pytest.mark.parametrize(
    ("value", "name", "frozen", "digest"),  # heads of SHA-256
    [(HECKMECK_V1, "v1.json", "85f714fc", "e9814a98"), (HECKMECK_V2, "v2.json", "ef3e6f9b", "daa62b90")],
    ids=("v1", "v2"),
)
def test_what_is_frozen_under_its_id_has_not_changed(value: Value, name: str, frozen: str, digest: str) -> None:
    assert sha256(files("luck.heckmeck").joinpath(name).read_bytes()).hexdigest()[:8] == frozen
    judge, judged = HeckmeckJudge(value), []
    for players in range(2, 8):
        judged += [judge.at(state) for state in chance_nodes(BOTS[:players], players, 0.05, ruleset="heckmeck/2")]
    assert sha256(repr(judged).encode()).hexdigest()[:8] == digest


@each_value
def test_the_value_knows_every_option_that_the_game_has_today(value: Value) -> None:
    assert {name: list(values) for name, values in value.options.items()} == {
        name: list(option.allowed) for name, option in OPTIONS.items()
    }


@each_value
@pytest.mark.parametrize("players", range(2, 8))
@pytest.mark.parametrize("options", OPTION_SETS, ids=str)
def test_the_luck_of_a_roll_has_the_mean_zero(value: Value, players: int, options: dict[str, Any]) -> None:
    """Over every roll that the engine may deal, each with its own weight: the bars are roundings to 1e-9 alone."""
    judge = HeckmeckJudge(value)
    nodes = list(chance_nodes(BOTS[:players], players, 0.2, ruleset="heckmeck/2", **options))
    nodes.sort(key=special, reverse=True)
    worst = max(abs(mean) for state in nodes[:8] for mean in mean_luck(judge, state))
    print(f"{len(nodes[:8])} chance nodes, worst mean luck {worst:.3f}e-9")
    assert worst <= 1


def special(state: State) -> tuple[bool, bool, bool, int]:
    """Nodes with the golden die, the weasel or two ones aside come first; of the others those with few dice."""
    assert isinstance(state, HeckmeckPosition)
    hand = state.hand
    return hand.golden == "left" and hand.aside.left < 7, state.weasel_ready, hand.aside.counts[0] > 1, -hand.aside.left


def test_the_nodes_that_are_looked_at_have_all_that_is_special() -> None:
    nodes = [
        special(state) for key in range(2, 8) for state in chance_nodes(BOTS[:key], key, 0.2, ruleset="heckmeck/2")
    ]
    assert all(any(node[at] for node in nodes) for at in range(3))


@each_value
def test_with_numpy_and_without_it_turns_have_the_same_values(value: Value) -> None:
    compared = 0
    for key in (2, 3):
        nodes = sorted(chance_nodes(BOTS[:key], key, 0.2, ruleset="heckmeck/2"), key=special, reverse=True)
        for state in nodes[:3]:
            assert isinstance(state, HeckmeckPosition)
            turn = HeckmeckTurn(state.board, value, double=False)
            table, pays = turn._table(state.hand), turn._pays
            plain = turn_solve_plainly(table, pays, None)
            assert plain == turn_solve_with_numpy(table, pays, None)
            assert turn_solve_plainly(table, pays, plain[1]) == turn_solve_with_numpy(table, pays, plain[1])
            compared += 1
    assert compared == 6


@each_value
@pytest.mark.parametrize("options", OPTION_SETS, ids=str)
@pytest.mark.parametrize("bots", [("cautious", "random"), ("aimless", "cautious", "random")], ids=str)
def test_an_alternative_is_worth_what_it_leads_to(value: Value, bots: tuple[str, ...], options: dict[str, Any]) -> None:
    """Of every decision of a game: the value of the action that was played is that of the position it led to."""
    record = played(bots, 1, "heckmeck/2", **options)
    found = luck_analyse(record, value.id)
    assert isinstance(found, GameAccount)
    kinds, judge = set(), HeckmeckJudge(value)
    for step in record.replay():
        shares = judge.at(step.before)
        if (seat := step.before.actor) == CHANCE:
            continue
        kind, choices = judge.choice(step.before)
        kinds.add(kind)
        worth = next(one.value for one in choices if one.action == step.action)
        assert judge.led(step.before, step.after)[seat] == worth <= choices[0].value == shares[seat]
    parts = zip(found.start, found.luck, found.lost, found.theirs, found.unexplained, strict=True)
    assert tuple(start + luck - lost + theirs + rest for start, luck, lost, theirs, rest in parts) == found.final
    assert {"face", "go_on"} <= kinds


def test_golden_dice_outside_the_value_give_the_reason() -> None:
    found = luck_analyse(played(("cautious", "random"), 1, "heckmeck/2", golden_die_faces=["5"] * 6))
    assert isinstance(found, Unanalysed)
    assert (found.code, found.details["option"]) == ("options", "golden_die_faces")


def test_a_game_of_the_current_version_is_taken_apart() -> None:
    found = luck_analyse(played(("cautious", "random"), 1, "heckmeck/2"))
    assert isinstance(found, GameAccount)
    assert found.value == "heckmeck/2-v2"
    assert all(abs(sum(shares) - UNIT) <= 1 for shares in found.shares)


def test_what_announced_the_first_value_is_taken_apart_by_it() -> None:
    record = played(("cautious", "random"), 1, "heckmeck/2")
    first, second = luck_analyse(record, "heckmeck/2-v1"), luck_analyse(record)
    assert isinstance(first, GameAccount)
    assert isinstance(second, GameAccount)
    assert (len(first.luck_moments), len(second.luck_moments)) == (1, MOMENTS)
    assert first.luck != second.luck


def test_every_moment_of_the_luck_of_a_roll_has_the_mean_zero() -> None:
    judge, known = HeckmeckJudge(HECKMECK_V2), analysis.luck_values_known()["heckmeck/2-v2"]
    for players in (2, 4):
        for state in list(chance_nodes(BOTS[:players], players, 0.1, ruleset="heckmeck/2"))[:8]:
            expected, weights = judge.at(state), {action: state.weight(action) for action in state.actions()}
            sums = [[0] * players for _ in range(MOMENTS)]
            for action, many in weights.items():
                led = judge.led(state, state.play(action))
                luck = tuple(new - old for new, old in zip(led, expected, strict=True))
                for own, moment in zip(sums, known.moments(state, expected, luck), strict=True):
                    own[:] = [one + many * other for one, other in zip(own, moment, strict=True)]
            assert max(abs(one) for own in sums for one in own) <= 2 * sum(weights.values())


def test_a_better_bot_has_the_less_to_gain_the_fewer_tiles_are_left() -> None:
    record = played(("cautious", "cautious"), 3, "heckmeck/2")
    left = [heckmeck_turns_ahead(step.before) for step in record.replay() if step.before.actor == CHANCE]
    assert left[0] == UNIT
    assert 0 < left[-1] < UNIT // 2
    assert all(0 < one <= UNIT for one in left)


def test_in_the_end_the_second_value_knows_who_is_ahead() -> None:
    """Worms decide, then the highest tile: as the game's own places have it."""
    seen = 0
    for key in range(6):
        for state in chance_nodes(("cautious",) * 3, key, 0.3, ruleset="heckmeck/2"):
            assert isinstance(state, HeckmeckPosition)
            left = state.board.grill.bit_count()
            if left > LAST:
                assert not any(heckmeck_value_v2_features(state.board, 0)[-6 * LAST :])
                continue
            seen += 1
            now = [heckmeck_value_v2_features(state.board, seat)[-6 * LAST :][6 * (left - 1)] for seat in range(3)]
            assert [one > 0 for one in now] == [
                places == 1 for places in sole_first(heckmeck_board_standing(state.board).places)
            ]
    assert seen > 10


def sole_first(places: Sequence[int]) -> list[int]:
    """The places; 0 for who shares the first."""
    return [0 if place == 1 and places.count(1) > 1 else place for place in places]
