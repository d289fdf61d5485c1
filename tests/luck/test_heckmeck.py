"""The frozen value of Heckmeck: the same for everyone, without bias at any roll, and right about decisions."""

from hashlib import sha256
from importlib.resources import files
from typing import Any

import pytest

from games.catalogue.heckmeck.position import HeckmeckPosition
from games.catalogue.heckmeck.rules import OPTIONS
from games.state import CHANCE, State
from luck import UNIT, GameAccount, Unanalysed, analyse
from luck.grill.solving import solve_plainly, solve_with_numpy
from luck.heckmeck.turns import HeckmeckJudge, HeckmeckTurn
from luck.heckmeck.value import HECKMECK_V1
from tests.luck.games import chance_nodes, mean_luck, played

BOTS = ("cautious", "random", "cautious", "cautious", "random", "cautious", "cautious")
FROZEN, TOLD = "85f714fc", "e9814a98"  # heads of SHA-256

OPTION_SETS: list[dict[str, Any]] = [
    {},
    {"steal": "mandatory", "start": "random", "golden_die_use": "always"},
    {"steal": "optional", "canned": "choice", "end_ignores_11_13": True},
    {"golden_die_faces": ["W"] * 6, "low_tiles_one_per_player": True},
]


def test_what_is_frozen_under_its_id_has_not_changed() -> None:
    assert sha256(files("luck.heckmeck").joinpath("v1.json").read_bytes()).hexdigest()[:8] == FROZEN
    judge, told = HeckmeckJudge(HECKMECK_V1), []
    for players in range(2, 8):
        told += [judge.at(state) for state in chance_nodes(BOTS[:players], players, 0.05, ruleset="heckmeck/2")]
    assert sha256(repr(told).encode()).hexdigest()[:8] == TOLD


def test_the_value_knows_every_option_that_the_game_has_today() -> None:
    assert {name: list(values) for name, values in HECKMECK_V1.options.items()} == {
        name: list(option.allowed) for name, option in OPTIONS.items()
    }


@pytest.mark.parametrize("players", range(2, 8))
@pytest.mark.parametrize("options", OPTION_SETS, ids=str)
def test_the_luck_of_a_roll_has_the_mean_zero(players: int, options: dict[str, Any]) -> None:
    """Over every roll that the engine may deal, each with its own weight: the bars are roundings to 1e-9 alone."""
    judge = HeckmeckJudge(HECKMECK_V1)
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


def test_with_numpy_and_without_it_turns_have_the_same_values() -> None:
    compared = 0
    for key in (2, 3):
        nodes = sorted(chance_nodes(BOTS[:key], key, 0.2, ruleset="heckmeck/2"), key=special, reverse=True)
        for state in nodes[:3]:
            assert isinstance(state, HeckmeckPosition)
            turn = HeckmeckTurn(state.board, HECKMECK_V1, double=False)
            table, pays = turn._table(state.hand), turn._pays
            plain = solve_plainly(table, pays, None)
            assert plain == solve_with_numpy(table, pays, None)
            assert solve_plainly(table, pays, plain[1]) == solve_with_numpy(table, pays, plain[1])
            compared += 1
    assert compared == 6


@pytest.mark.parametrize("options", OPTION_SETS, ids=str)
@pytest.mark.parametrize("bots", [("cautious", "random"), ("aimless", "cautious", "random")], ids=str)
def test_an_alternative_is_worth_what_it_leads_to(bots: tuple[str, ...], options: dict[str, Any]) -> None:
    """Of every decision of a game: what is told of the action that was played is what came of it."""
    record = played(bots, 1, "heckmeck/2", **options)
    found = analyse(record)
    assert isinstance(found, GameAccount)
    kinds, judge = set(), HeckmeckJudge(HECKMECK_V1)
    for step in record.replay():
        shares = judge.at(step.before)
        if (seat := step.before.actor) == CHANCE:
            continue
        kind, choices = judge.choice(step.before)
        kinds.add(kind)
        value = next(one.value for one in choices if one.action == step.action)
        assert judge.led(step.before, step.after)[seat] == value <= choices[0].value == shares[seat]
    parts = zip(found.start, found.luck, found.lost, found.theirs, found.unexplained, strict=True)
    assert tuple(start + luck - lost + theirs + rest for start, luck, lost, theirs, rest in parts) == found.final
    assert {"face", "go_on"} <= kinds


def test_golden_dice_that_the_value_was_not_made_for_are_told_so() -> None:
    found = analyse(played(("cautious", "random"), 1, "heckmeck/2", golden_die_faces=["5"] * 6))
    assert isinstance(found, Unanalysed)
    assert (found.code, found.details["option"]) == ("options", "golden_die_faces")


def test_a_game_of_the_current_version_is_taken_apart() -> None:
    found = analyse(played(("cautious", "random"), 1, "heckmeck/2"))
    assert isinstance(found, GameAccount)
    assert found.value == "heckmeck/2-v1"
    assert all(abs(sum(shares) - UNIT) <= 1 for shares in found.shares)
