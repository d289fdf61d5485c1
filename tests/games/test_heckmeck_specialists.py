"""Raven and bratworms, canned worm, weasel, golden die, hen: what each does for its owner, and to whom."""

from typing import Any

import pytest

from games.catalogue import current
from games.chance import Dice
from games.ruleset import OptionError
from tests.games.heckmeck_positions import chance_of, last, play, position, roll, stacks, where

HECKMECK = current("heckmeck")


# --- raven and bratworms ---


def test_the_raven_brings_a_bratworm_and_moves_to_the_lowest_free_tile() -> None:
    state = play(position((), (), aside_="WWWW3"), "stop")
    view = state.view(None)
    assert (view["stacks"][0], view["bratworms"], view["supply"]) == ([23], [1, 0], 6)
    assert where(state, "raven") == "tile 13"


def test_a_raven_without_a_free_tile_leaves_the_game() -> None:
    state = play(position((), (), aside_="WWWW3", grill=[11, 21, 23]), "stop")
    assert where(state, "raven") == "out"


def test_with_the_supply_empty_the_player_chooses_who_gives_a_bratworm() -> None:
    choice = play(position((), (), (), aside_="WWWW3", bratworms=(0, 3, 4)), "stop")
    assert (choice.actor, choice.actions()) == (0, ("bratworm 1", "bratworm 2"))
    state = play(choice, "bratworm 2")
    assert state.view(None)["bratworms"] == [1, 3, 3]
    assert (where(state, "raven"), state.turn) == ("tile 13", 2)


def test_nobody_gets_a_bratworm_of_the_hens_owner() -> None:
    state = play(position((), (), (), aside_="WWWW3", bratworms=(0, 3, 4), places={"hen": 2}), "stop")
    assert state.view(None)["bratworms"] == [1, 2, 4]
    alone = play(position((), (), aside_="WWWW3", bratworms=(0, 7), places={"hen": 1}), "stop")
    assert (alone.view(None)["bratworms"], where(alone, "raven")) == ([0, 7], "tile 13")


def test_two_ones_set_aside_bring_a_bratworm_at_once_whatever_follows() -> None:
    state = play(position((), (), aside_="WW"), "roll", roll("113444"), "take 1")
    assert (state.view(None)["bratworms"], state.view(None)["supply"]) == ([1, 0], 6)
    failed = play(state, "roll", roll("11WW"))
    assert (last(failed)["event"], failed.view(None)["bratworms"]) == ("bust", [1, 0])


def test_one_one_or_two_of_another_face_bring_none() -> None:
    for dice, take in (("122444", "take 1"), ("122444", "take 2")):
        state = play(position((), (), aside_="WW"), "roll", roll(dice), take)
        assert state.view(None)["bratworms"] == [0, 0]


def test_a_double_one_asks_who_gives_before_the_turn_goes_on_or_ends() -> None:
    middle = play(position((), (), (), aside_="WW", bratworms=(0, 3, 4)), "roll", roll("113444"), "take 1")
    assert middle.actions() == ("bratworm 1", "bratworm 2")
    assert play(middle, "bratworm 1").actions() == ("roll", "stop")
    end = play(position((), (), (), aside_="WWWW22", bratworms=(0, 3, 4)), "roll", roll("11"), "take 1", "bratworm 2")
    assert (stacks(end)[0], end.turn) == ([26], 2)


def test_a_one_of_the_golden_die_counts_for_the_double() -> None:
    state = play(position((), (), aside_="WW", places={"golden_die": 0}), "roll", roll("134445", "1"), "take 1")
    view = state.view(None)
    assert (view["bratworms"], view["aside"]["1"], view["golden_die"]) == ([1, 0], 2, "1")


# --- canned worm ---


def test_the_canned_worm_counts_five_without_a_worm_die_and_stays() -> None:
    state = play(position((11,), (), aside_="55544", places={"canned_worm": 0}), "stop")
    assert (last(state)["total"], stacks(state)[0], where(state, "canned_worm")) == (28, [11, 28], "seat 0")


def test_the_canned_worm_counts_nothing_beside_a_worm_die() -> None:
    state = play(position((11,), (), aside_="5554W", places={"canned_worm": 0}), "stop")
    assert (last(state)["total"], stacks(state)[0]) == (24, [11, 24])


def test_the_canned_worm_does_not_save_a_roll_without_a_new_face() -> None:
    state = play(position((), (), aside_="555", places={"canned_worm": 0}), "roll", roll("55555"))
    assert (last(state)["why"], last(state)["total"]) == ("no_face", 15)


def test_without_the_canned_worm_a_total_without_worms_fails() -> None:
    assert last(play(position((), (), aside_="5555"), "stop"))["why"] == "no_worm"
    theirs = play(position((), (), aside_="5555", places={"canned_worm": 1}), "stop")
    assert (last(theirs)["why"], last(theirs)["total"]) == ("no_worm", 20)


def test_the_canned_worm_can_be_the_players_choice() -> None:
    choice = play(position((), (), aside_="55544", places={"canned_worm": 0}, canned="choice"), "stop")
    assert choice.actions() == ("use canned_worm", "leave canned_worm")
    assert stacks(play(choice, "use canned_worm"))[0] == [28]
    assert last(play(choice, "leave canned_worm"))["why"] == "no_worm"


def test_the_canned_worm_steals_too() -> None:
    state = play(position((), (28,), aside_="55544", places={"canned_worm": 0}), "stop", "steal")
    assert stacks(state) == [[28], []]
    may = position((), (28,), aside_="55544", places={"canned_worm": 0}, steal="optional")
    spared = play(may, "stop", "decline", "keep golden_die")
    assert (stacks(spared), where(spared, "canned_worm")) == ([[27], [28]], "tile 11")


# --- weasel ---


def test_the_weasel_throws_the_dice_just_thrown_again_once_a_turn() -> None:
    state = play(position((), (), aside_="WW", places={"weasel": 0}), "roll", roll("114455"))
    assert state.actions() == ("take 1", "take 4", "take 5", "use weasel")
    again = play(state, "use weasel")
    assert (chance_of(again), again.view(None)["weasel_ready"]) == (Dice(0, 0, 9, 6), False)
    second = play(again, roll("333555"))
    assert second.actions() == ("take 3", "take 5")
    third = play(second, "take 5", "roll")
    assert (chance_of(third), play(third, roll("334")).actions()) == (Dice(0, 0, 2, 3), ("take 3", "take 4"))


def test_the_weasel_can_undo_a_roll_without_a_new_face_but_need_not() -> None:
    state = play(position((22,), (), aside_="WW5", places={"weasel": 0}), "roll", roll("WW555"))
    assert state.actions() == ("use weasel", "leave weasel")
    assert play(state, "use weasel", roll("WW111")).actions() == ("take 1",)
    assert last(play(state, "use weasel", roll("WW555")))["why"] == "no_face"
    left = play(state, "leave weasel")
    assert (last(left)["why"], last(left)["rolled"], where(left, "weasel")) == ("no_face", list("555WW"), "tile 13")


def test_a_weasel_on_the_grill_or_with_another_player_helps_nobody() -> None:
    for places in ({}, {"weasel": 1}):
        assert play(position((), (), aside_="WW", places=places), "roll", roll("114455")).actions() == (
            *("take 1", "take 4", "take 5"),
        )


def test_the_weasel_is_ready_again_in_the_next_turn() -> None:
    state = play(position((), (), aside_="", places={"weasel": 0}), roll("11111111"), "use weasel", roll("WWWWW444"))
    later = play(state, "take W", "stop", roll("WWWWWWW1"), "take W", "roll", roll("W"))
    assert (later.turn, play(later, roll("11114455")).actions()[-1]) == (3, "use weasel")


# --- golden die ---


def test_the_owner_of_the_golden_die_says_at_the_start_of_a_turn_whether_it_is_thrown() -> None:
    state = position((), (), aside_="", places={"golden_die": 0})
    assert (state.actor, state.actions()) == (0, ("use golden_die", "leave golden_die"))
    assert chance_of(play(state, "leave golden_die")) == Dice(0, 0, 0, 8)
    thrown = play(state, "use golden_die")
    assert (chance_of(thrown), len(thrown.actions())) == ((0, 0, 0, 8, ("1", "1", "1", "W", "W", "W")), 2 * 1287)
    assert sum(map(thrown.weight, thrown.actions())) == 6**9
    assert chance_of(position((), (), aside_="", places={"golden_die": 0}, golden_die_use="always")) == chance_of(
        thrown
    )


def test_the_golden_die_is_set_aside_with_its_face_and_counts_like_any_other() -> None:
    state = play(position((), (), aside_="", places={"golden_die": 0}), "use golden_die", roll("WW445555", "W"))
    assert state.view(None)["rolled"] == ["4", "4", "5", "5", "5", "5", "W", "W", "W"]
    taken = play(state, "take W").view(None)
    assert (taken["aside"]["W"], taken["sum"], taken["dice_left"], taken["golden_die"]) == (3, 15, 6, "W")
    other = play(state, "take 5")
    assert (other.view(None)["dice_left"], other.view(None)["golden_die"]) == (5, "left")
    assert chance_of(play(other, "roll")) == (0, 0, 1, 4, ("1", "1", "1", "W", "W", "W"))


def test_the_golden_die_can_be_thrown_alone_and_a_turn_ends_with_nine_dice_aside() -> None:
    state = play(position((), (), aside_="WWWW4444", places={"golden_die": 0}), "roll")
    assert state.actions() == ("roll +1", "roll +W")
    assert [state.weight(action) for action in state.actions()] == [3, 3]
    assert last(play(state, "roll +1", "take 1"))["total"] == 37
    assert last(play(state, "roll +W"))["why"] == "no_face"


def test_the_weasel_is_never_asked_about_golden_dice_for_nobody_has_both() -> None:
    state = position((27,), (), aside_="WWWWW", places={"golden_die": 0})
    assert play(state, "stop").actions() == ("keep weasel", "keep golden_die")


@pytest.mark.parametrize("given", ["111WWW", "1 1 1 W W W", [1, 1, 1, "W", "W", "W"], ["W", "1", "W", "1", "W", "1"]])
def test_the_faces_of_the_golden_die_are_stored_in_one_form(given: Any) -> None:
    assert HECKMECK.validate(2, {"golden_die_faces": given})["golden_die_faces"] == ["1", "1", "1", "W", "W", "W"]


@pytest.mark.parametrize("given", ["12345", "123456", "1234567", [1] * 7, [True] * 6, [None] * 6, ["WW"] * 6, 111111])
def test_other_faces_are_refused_by_name(given: Any) -> None:
    with pytest.raises(OptionError, match=r"'golden_die_faces'.*six faces, each 1 to 5 or W"):
        HECKMECK.validate(2, {"golden_die_faces": given})


# --- hen ---


def test_a_thief_gets_the_hen_in_place_of_the_tile_it_guards() -> None:
    state = play(position((), (22, 24), aside_="WWWW4", places={"hen": 1}), "stop", "steal")
    assert (stacks(state), where(state, "hen")) == ([[], [22, 24]], "seat 0")
    assert (last(state)["event"], last(state)["tile"], last(state)["from"]) == ("steal", None, 1)


def test_a_thief_with_a_specialist_keeps_one_and_the_hen_may_go_to_the_grill() -> None:
    before = position((), (22, 24), aside_="WWWW4", places={"hen": 1, "apple": 0})
    state = play(before, "stop", "steal", "keep apple")
    assert (where(state, "hen"), where(state, "apple"), stacks(state)[0]) == ("tile 13", "seat 0", [])


def test_a_hen_on_11_or_13_is_safe() -> None:
    state = play(position((), (11,), aside_="W51", places={"hen": 1}), "stop")
    assert (last(state)["why"], where(state, "hen")) == ("no_tile", "seat 1")


def test_a_failed_turn_of_the_hens_owner_costs_the_hen_alone_and_turns_nothing_over() -> None:
    state = play(position((30, 22), (), aside_="1", places={"hen": 0}), "stop")
    assert (stacks(state)[0], where(state, "hen"), state.view(None)["facedown"]) == ([30, 22], "tile 13", [])
    assert (last(state)["returned"], last(state)["flipped"]) == (None, None)


def test_the_hens_owner_without_tiles_keeps_the_hen() -> None:
    state = play(position((), (), aside_="1", places={"hen": 0}), "stop")
    assert (where(state, "hen"), state.view(None)["facedown"]) == ("seat 0", [])


def test_a_hen_that_finds_no_free_tile_leaves_the_game() -> None:
    state = play(position((30,), (), aside_="1", grill=[11, 23], places={"hen": 0}), "stop")
    assert (where(state, "hen"), stacks(state)[0]) == ("out", [30])
