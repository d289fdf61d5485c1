"""Vectors of the anniversary edition beyond the given ones: who acts, what is understood, what is refused."""

from typing import Any

import pytest

from games.catalogue.heckmeck.rules import TILES
from games.rule_vectors import VectorError, rule_vector_run


def vector(
    actions: list[dict[str, Any]],
    expect: dict[str, Any],
    *,
    stacks: dict[str, list[int]] | None = None,
    specialists: dict[str, str] | None = None,
    **given: Any,
) -> dict[str, Any]:
    """A position of A, who is to move, and others; all that is not named is as at the start, specialists are out."""
    stacks = stacks or {"A": [], "B": []}
    options, checkpoints = given.pop("options", {}), given.pop("checkpoints", [])
    taken = {tile for stack in stacks.values() for tile in stack}
    return {
        "id": "x",
        "game": "heckmeck",
        "options": options,
        "given": {
            "players": list(stacks),
            "stacks": stacks,
            "grill": [tile for tile in TILES if tile not in taken],
            "facedown": [],
            "specialists": specialists or {},
            "to_move": "A",
            **given,
        },
        "actions": actions,
        "checkpoints": checkpoints,
        "expect": expect,
    }


def roll(dice: str) -> dict[str, Any]:
    return {"type": "roll", "dice": [die if die == "W" else int(die) for die in dice]}


def take(face: int | str) -> dict[str, Any]:
    return {"type": "take", "face": face}


STOP = {"type": "stop"}


@pytest.mark.parametrize(("dice", "left"), [("12334455W", 7), ("12334455", 6)], ids=["thrown", "left"])
def test_the_number_of_dice_shows_whether_the_golden_die_is_thrown(dice: str, left: int) -> None:
    owner = {"golden_die": "player:A"}
    after = [{"after_action": 1, "dice_left": left, "total": 10}]
    rule_vector_run(vector([roll(dice), take(5)], {"outcome": None}, specialists=owner, checkpoints=after))


@pytest.mark.parametrize("dice", ["11", "1"], ids=["with the golden die", "without"])
def test_dice_set_aside_beforehand_leave_the_golden_die_to_be_thrown(dice: str) -> None:
    given: dict[str, Any] = {
        "set_aside": {"W": 4, "4": 3},
        "specialists": {"golden_die": "player:A"},
        "bratworms": {"A": 0},
    }
    total = 32 + len(dice)
    rule_vector_run(vector([roll(dice), take(1)], {"total": total, "stacks": {"A": [total]}}, **given))


def test_a_golden_die_that_was_left_cannot_be_thrown_later_in_the_turn() -> None:
    rolls = [roll("12334455"), take(5), roll("112334W")]
    with pytest.raises(VectorError, match="is not legal here"):
        rule_vector_run(vector(rolls, {}, specialists={"golden_die": "player:A"}))


def test_a_weasel_that_is_not_used_lets_the_turn_fail() -> None:
    given: dict[str, Any] = {
        "stacks": {"A": [22], "B": []},
        "set_aside": {"W": 2, "5": 1},
        "specialists": {"weasel": "player:A"},
    }
    fails = {"outcome": "fail", "total": 15, "stacks": {"A": []}, "specialists": {"weasel": "tile:11"}}
    after = [{"after_action": 0, "legal_faces": [], "dice_left": 5}]
    rule_vector_run(vector([roll("WW555")], fails, checkpoints=after, **given))
    rule_vector_run(vector([roll("WW555"), STOP], fails, **given))
    again = [roll("WW555"), {"type": "weasel_reroll", "dice": [1, 1, 1, 2, "W"]}, take(1)]
    rule_vector_run(vector(again, {"total": 18, "bratworms": {"A": 1, "supply": 6}}, **given))


def test_a_bratworm_that_only_one_can_give_needs_no_action_but_may_be_named() -> None:
    given: dict[str, Any] = {
        "stacks": {"A": [], "B": [], "C": []},
        "set_aside": {"W": 4},
        "specialists": {"raven": "tile:23"},
        "bratworms": {"supply": 0, "B": 7},
    }
    after = {"bratworms": {"A": 1, "B": 6, "C": 0, "supply": 0}, "specialists": {"raven": "tile:11"}}
    turn = [roll("3444"), take(3), STOP]
    rule_vector_run(vector(turn, after, **given))
    rule_vector_run(vector([*turn, {"type": "bratworm_from", "victim": "B"}], after, **given))
    with pytest.raises(VectorError, match="'bratworm 2' is not legal"):
        rule_vector_run(vector([*turn, {"type": "bratworm_from", "victim": "C"}], after, **given))


def test_a_bratworm_that_several_can_give_is_asked_for() -> None:
    given: dict[str, Any] = {
        "stacks": {"A": [], "B": [], "C": []},
        "set_aside": {"W": 4},
        "bratworms": {"supply": 0, "B": 4, "C": 3},
    }
    turn = [roll("1144"), take(1), {"type": "bratworm_from", "victim": "C"}, STOP]
    rule_vector_run(vector(turn, {"bratworms": {"A": 1, "B": 4, "C": 2}, "stacks": {"A": [22]}}, **given))


def test_the_log_names_what_was_returned_and_turned_over() -> None:
    fails = {"log_contains": [["return", 22], ["flip", 36]], "game_over": False, "facedown": [36]}
    rule_vector_run(vector([roll("WW555")], fails, stacks={"A": [22], "B": []}, set_aside={"W": 2, "5": 1}))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"specialists": {"cook": "out"}}, "there is no specialist"),
        ({"specialists": {"hen": "tile:12"}}, "no specialist can be at 'tile:12'"),
        ({"specialists": {"hen": "tile:35", "apple": "tile:35"}}, "two specialists are in one place"),
        ({"specialists": {"hen": "player:Z"}}, "'Z' is not one of the players"),
        ({"specialists": {"hen": "moon"}}, "no specialist can be at 'moon'"),
        ({"bratworms": {"Z": 1}}, "'Z' is not one of the players"),
        ({"grill": [12]}, "there is no tile"),
        ({"set_aside": {"6": 1}}, "'set_aside' has no face"),
        ({"set_aside": {"W": 9}}, "more than 8 dice"),
        ({"options": {"golden_die_faces": [1, 2]}}, "a die has six faces"),
        ({"weather": "fine"}, "given: unknown key 'weather'"),
    ],
)
def test_what_is_not_understood_fails_by_name(given: dict[str, Any], words: str) -> None:
    with pytest.raises(VectorError) as failed:
        rule_vector_run(vector([], {}, **given))
    assert words in str(failed.value)
