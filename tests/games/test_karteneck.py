"""Karteneck, sentence by sentence of the rule sheets (000 and 002)."""

from itertools import combinations

import pytest

from games.catalogue import current
from games.catalogue.karteneck.cards import DECK_SIZE, PORTIONS, WHOLE_DECK, cards_names
from games.catalogue.karteneck.fields import KarteneckPhase
from games.catalogue.karteneck.position import KarteneckPosition
from games.state import CHANCE
from games.table import Table
from pecking.testing.random_games import random_game_seed
from tests.games.karteneck_positions import drawn, play, position

KARTENECK = current("karteneck")


def seen(state: KarteneckPosition) -> dict[str, object]:
    return state.view(None)


# The parts and the set-up


def test_there_are_seventeen_of_each_number_and_twenty_five_worms() -> None:
    cards = cards_names(WHOLE_DECK)
    assert len(cards) == DECK_SIZE == 110
    assert all(cards.count(number) == 17 for number in "12345")
    assert sum(card[0] == "W" for card in cards) == 25
    assert sorted(PORTIONS) == [0, 0, 0, *range(16, 43)]


@pytest.mark.parametrize(("players", "rounds"), [(2, 9), (3, 8), (4, 7), (5, 6)])
def test_each_has_six_cards_and_the_grill_a_portion_for_each(players: int, rounds: int) -> None:
    table = Table(KARTENECK, players, {}, random_game_seed("set-up"))
    view = table.view(None)
    assert view["hand_sizes"] == [6] * players
    assert view["deck"] == 110 - 6 * players
    assert len(view["grill"]) == players
    assert view["grill"] == sorted(view["grill"])
    assert (view["round"], view["rounds"], view["actor"]) == (1, rounds, 0)


def test_the_start_player_may_be_drawn_by_lot() -> None:
    actors = {Table(KARTENECK, 3, {"start": "random"}, random_game_seed("start", game)).actor for game in range(30)}
    assert actors == {0, 1, 2}


def test_a_zero_is_revealed_as_often_as_there_are_zeros() -> None:
    state = KARTENECK.start(2, {})
    while state.chance() is not None and not state.actions()[0].startswith("reveal"):
        state = state.play(state.actions()[0])
    weights = {action: state.weight(action) for action in state.actions()}
    assert weights["reveal 0"] == 3
    assert sum(weights.values()) == 30
    weights = {action: state.play("reveal 0").weight(action) for action in state.actions()}
    assert weights["reveal 0"] == 2


def test_a_card_is_drawn_as_often_as_there_are_such_cards() -> None:
    state = KARTENECK.start(2, {})
    assert sum(state.weight(action) for action in state.actions()) == 110
    assert (state.weight("draw 3"), state.weight("draw W9")) == (17, 1)
    assert state.play("draw 3").weight("draw 3") == 16
    assert "draw W9" not in state.play("draw W9").actions()


# Playing cards


def test_any_number_of_equal_cards_may_be_played() -> None:
    state = position("2 2 2 5 W3|", "|")
    assert state.actions() == ("pass", "play 1x2", "play 2x2", "play 3x2", "play 1x5", "play W3")


def test_a_play_goes_to_the_display_and_one_card_is_drawn() -> None:
    state = play(position("2 2 2 5|4", "|"), "play 2x2")
    assert (state.phase, state.actor, state.due) == (KarteneckPhase.DRAW, CHANCE, 1)
    state = play(state, "draw W9")
    assert seen(state)["displays"] == [["2", "2", "4"], []]
    assert seen(state)["hands"] == [["2", "5", "W9"], []]
    assert seen(state)["totals"] == [8, 0]
    assert state.actor == 1


def test_a_type_that_lies_there_already_cannot_be_played_again() -> None:
    assert position("2 4|4", "|").actions() == ("pass", "play 1x2")
    assert position("W3 4|W1", "|").actions() == ("pass", "play 1x4")


def test_fives_and_worms_are_different_types() -> None:
    assert position("5 W3|5", "|").actions() == ("pass", "play W3")
    assert position("5 W3|W1", "|").actions() == ("pass", "play 1x5")


def test_worms_count_five() -> None:
    assert seen(position("|1 W3 W9", "|"))["totals"] == [11, 0]


def test_every_set_of_worms_can_be_played_in_exactly_one_way() -> None:
    start = position("W2 W7 W25 1|", "|", deck="")
    reached: list[tuple[str, ...]] = []
    edge = [play(start, action) for action in start.actions() if "W" in action]
    while edge:
        state = edge.pop()
        for action in state.actions():
            after = play(state, action)
            if action == "done":
                reached.append(tuple(cards_names(after.cards.displays[0])))
            else:
                edge.append(after)
    worms = ("W2", "W7", "W25")
    assert sorted(reached) == sorted(one for count in (1, 2, 3) for one in combinations(worms, count))


def test_one_card_is_drawn_for_all_the_worms_of_a_play() -> None:
    state = play(position("W2 W7|", "|"), "play W2", "also W7", "done")
    assert (state.phase, state.due) == (KarteneckPhase.DRAW, 1)


def test_the_others_cannot_tell_whether_more_worms_could_have_been_played() -> None:
    some, none = (play(position(f"W2 {other}|", "|"), "play W2") for other in ("W7", "4"))
    assert some.view(1) == none.view(1)
    assert (some.actions(), none.actions()) == (("also W7", "done"), ("done",))


def test_turns_go_clockwise_past_those_who_have_passed() -> None:
    state = position("1 2|", "1|", "1|", "1|", passed="--v", seat=1, deck="")
    assert drawn(state, "play 1x1").actor == 3
    assert drawn(state, "play 1x1", "play 1x1").actor == 0


def test_the_last_remaining_player_plays_on() -> None:
    state = position("1 2|", "|W1", passed="-v")
    assert drawn(state, "play 1x1").actor == 0
    assert drawn(state, "play 1x1").turn == state.turn + 1


# Passing


def test_passing_is_always_allowed_and_with_nothing_to_play_the_only_way() -> None:
    assert "pass" in position("1|", "|").actions()
    assert position("4|4", "|").actions() == ("pass",)
    assert position("|", "|").actions() == ("pass",)


def test_without_a_worm_the_display_is_discarded_and_the_lowest_portion_taken_then_two_cards_drawn() -> None:
    state = play(position("3|4 4 5", "|", grill=(18, 33), stacks=((22,), ()), discard="1"), "pass")
    view = seen(state)
    assert view["stacks"] == [[22, 18], []]
    assert view["grill"] == [33]
    assert view["displays"] == [[], []]
    assert view["discard"] == ["1", "4", "4", "5"]
    assert view["passed"] == ["invalid", ""]
    assert (state.phase, state.due) == (KarteneckPhase.DRAW, 2)
    assert seen(play(state, "draw 1", "draw W2"))["hands"] == [["1", "3", "W2"], []]
    assert state.event() == "bust"


def test_passing_with_nothing_on_the_display_is_passing_without_a_worm() -> None:
    state = play(position("3|", "|"), "pass")
    assert seen(state)["stacks"] == [[16], []]
    assert state.passed == ("invalid", "")


def test_each_who_passes_without_a_worm_takes_the_lowest_of_that_moment() -> None:
    state = drawn(position("|1", "|2", "|W3", grill=(0, 20, 30)), "pass", "pass")
    assert seen(state)["stacks"] == [[0], [20], []]


def test_with_a_worm_the_display_stays_and_two_cards_are_drawn_but_no_portion_taken() -> None:
    state = play(position("3|4 W8", "|", grill=(18, 33)), "pass")
    view = seen(state)
    assert view["displays"] == [["4", "W8"], []]
    assert view["grill"] == [18, 33]
    assert view["passed"] == ["valid", ""]
    assert (state.due, state.event()) == (2, "")


def test_the_last_to_pass_draws_nothing() -> None:
    for last in ("3|4 W8", "3|4"):
        state = play(position(last, "1|W1", passed="-v", last_round=False), "pass")
        assert state.phase is KarteneckPhase.REVEAL
        assert seen(state)["hands"] == [["3"], ["1"]]


# Stealing


def test_the_top_portion_that_equals_the_total_may_be_stolen_or_left() -> None:
    state = position("|5 5 5 W2", "|", stacks=((26,), (17, 20)))
    assert state.actions() == ("pass", "steal")
    view = seen(play(state, "steal"))
    assert view["stacks"] == [[26, 20], [17]]
    assert view["displays"] == [["5", "5", "5", "W2"], []]
    assert view["passed"] == ["valid", ""]
    assert play(state, "steal").event() == "steal"
    assert seen(play(state, "pass"))["stacks"] == [[26], [17, 20]]


@pytest.mark.parametrize(
    ("own", "stacks"),
    [
        ("|5 5 5 5", ((), (20,))),  # no worm
        ("|5 5 5 W2", ((), (20, 17))),  # not on top
        ("|5 5 5 W2", ((20,), ())),  # one's own
        ("|5 5 5 W2", ((), (21,))),
        ("|5 5 5 W2", ((), (19,))),
        ("|", ((), (0,))),
    ],
)
def test_nothing_else_can_be_stolen(own: str, stacks: tuple[tuple[int, ...], ...]) -> None:
    assert position(own, "|", stacks=stacks).actions() == ("pass",)


def test_a_zero_portion_shields_what_is_below_it() -> None:
    state = position("|5 5 5 W2", "1|", "1|", stacks=((), (20,), ()), grill=(0, 30, 31), seat=1)
    assert "steal" in position("|5 5 5 W2", "1|", "1|", stacks=((), (20,), ()), grill=(0, 30, 31)).actions()
    state = drawn(state, "pass", "pass")
    assert state.actor == 0
    assert state.actions() == ("pass",)


def test_a_player_who_passed_can_be_robbed_and_robbed_back() -> None:
    state = position("3|5 5 5 W2", "3|5 5 W3 W4", "1|", stacks=((), (20,), ()), deck="")
    state = drawn(state, "steal")
    assert state.actions() == ("pass", "steal", "play 1x3")
    assert seen(drawn(state, "steal"))["stacks"] == [[], [20], []]


def test_a_theft_comes_before_the_cards_are_drawn() -> None:
    state = play(position("|5 5 5 W2", "|", stacks=((), (20,))), "steal")
    assert (state.phase, seen(state)["stacks"]) == (KarteneckPhase.DRAW, [[20], []])


def test_the_last_to_pass_may_steal_too_before_the_menu() -> None:
    state = play(position("|5 5 5 W2", "|W1", stacks=((), (20,)), grill=(30, 31), passed="-v"), "steal")
    assert seen(state)["stacks"] == [[20, 31], [30]]


# The menu


def test_the_highest_total_takes_the_highest_portion_and_so_on() -> None:
    state = play(position("|1 W1", "|5 W2", "|3 W3", grill=(0, 20, 40), passed="-vv"), "pass")
    assert seen(state)["stacks"] == [[0], [40], [20]]


def test_among_equal_totals_the_highest_single_tag_goes_first() -> None:
    state = play(position("|1 1 W20", "|2 W3", "|2 W21", grill=(0, 20, 40), passed="-vv"), "pass")
    assert seen(state)["stacks"] == [[20], [0], [40]]
    state = play(position("|W14 W15", "|W1 W16", grill=(20, 40), passed="-v"), "pass")
    assert seen(state)["stacks"] == [[20], [40]]


def test_a_higher_tag_does_not_make_up_for_a_lower_total() -> None:
    assert seen(play(position("|1 W25", "|2 W1", grill=(20, 40), passed="-v"), "pass"))["stacks"] == [[20], [40]]


def test_a_player_who_passed_without_a_worm_has_no_part_in_the_menu() -> None:
    state = play(position("|W1", "|", "|2 W3", grill=(20, 40), stacks=((), (18,), ()), passed="-iv"), "pass")
    assert seen(state)["stacks"] == [[20], [18], [40]]


def test_after_the_menu_all_displays_are_discarded_and_hands_kept() -> None:
    state = play(position("3|W1", "4 4|2 W3", passed="-v", discard="5"), "pass")
    view = seen(state)
    assert view["displays"] == [[], []]
    assert view["discard"] == ["2", "5", "W1", "W3"]
    assert view["hands"] == [["3"], ["4", "4"]]
    assert view["passed"] == ["", ""]
