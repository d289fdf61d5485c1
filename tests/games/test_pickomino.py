"""Pickomino's rules, sentence by sentence (sheet 004, RULINGS 2.1)."""

from typing import Any

import pytest

from games.catalogue import current
from games.catalogue.grill.tiles import tile_worms
from games.catalogue.pickomino.board import pickomino_board_standing
from games.catalogue.pickomino.position import PickominoPosition, pickomino_position_next_turn
from games.catalogue.pickomino.rules import TILES
from games.chance import Dice
from games.state import CHANCE, IllegalAction
from tests.games.pickomino_positions import play, position, roll

PICKOMINO = current("pickomino")


def last(state: PickominoPosition) -> Any:
    return state.view(None)["last"]


def test_tiles_bear_one_to_four_worms() -> None:
    assert [tile_worms(tile) for tile in TILES] == [1] * 4 + [2] * 4 + [3] * 4 + [4] * 4


@pytest.mark.parametrize("players", PICKOMINO.seats)
def test_a_game_starts_with_all_tiles_face_up_and_seat_0_rolling_eight_dice(players: int) -> None:
    state = PICKOMINO.start(players, {})
    view = state.view(None)
    assert (view["grill"], view["facedown"], view["stacks"]) == (list(TILES), [], [[]] * players)
    assert (state.actor, state.chance()) == (CHANCE, Dice(0, 0, 0, 8))
    assert len(state.actions()) == 1287
    assert sum(map(state.weight, state.actions())) == 6**8


def test_a_random_start_player_is_drawn_before_the_first_turn() -> None:
    state = PICKOMINO.start(3, {"start": "random"})
    assert (state.actions(), state.turn) == (("start 0", "start 1", "start 2"), 0)
    rolled = state.play("start 2")
    assert (rolled.chance(), rolled.turn) == (Dice(2, 0, 0, 8), 1)


def test_only_faces_rolled_and_not_aside_may_be_taken_and_all_dice_of_the_face_go() -> None:
    state = play(position((), (), aside_="WW"), "roll", roll("1144WW"))
    assert state.actions() == ("take 1", "take 4")
    taken = play(state, "take 4").view(0)
    assert (taken["aside"]["4"], taken["sum"], taken["dice_left"]) == (2, 18, 4)


def test_after_a_take_the_player_may_roll_or_stop_and_never_before() -> None:
    state = play(position((), (), aside_="WW"), "roll")
    assert state.actor == CHANCE
    with pytest.raises(IllegalAction) as refused:
        play(state, roll("111144"), "stop")
    assert refused.value.legal == ("take 1", "take 4")


def test_a_roll_without_a_new_face_fails() -> None:
    state = play(position((21,), (), aside_="WW5"), "roll", roll("WW555"))
    ending = last(state)
    assert (ending["event"], ending["why"], ending["rolled"]) == ("bust", "no_face", ["5", "5", "5", "W", "W"])
    assert (ending["total"], ending["aside"]["W"], ending["aside"]["5"]) == (15, 2, 1)


def test_a_total_without_a_worm_fails_however_high() -> None:
    assert last(play(position((), (), aside_="55554"), "stop"))["why"] == "no_worm"
    assert last(play(position((), (), aside_="5555554"), "roll", roll("3"), "take 3"))["why"] == "no_worm"


def test_a_total_below_every_tile_fails_though_stopping_was_legal() -> None:
    assert last(play(position((), (), aside_="WW"), "stop"))["why"] == "no_tile"


def test_an_exact_tile_on_the_grill_is_taken_even_with_any_lower_tile() -> None:
    for choice in ("next_lower", "any_lower"):
        state = play(position((), (), aside_="WWWW4", lower_tile=choice), "stop")
        assert state.view(None)["stacks"] == [[24], []]


def test_beyond_36_the_highest_tile_is_taken() -> None:
    assert play(position((), (), aside_="WWWWW555"), "stop").view(None)["stacks"][0] == [36]


def test_stealing_is_the_players_choice_and_declining_takes_the_next_lower_tile() -> None:
    state = play(position((), (22, 24), aside_="WWWW4"), "stop")
    assert state.actions() == ("steal", "decline")
    stolen, spared = play(state, "steal"), play(state, "decline")
    assert (stolen.view(None)["stacks"], last(stolen)["from"]) == ([[24], [22]], 1)
    assert spared.view(None)["stacks"] == [[23], [22, 24]]


def test_the_first_seat_can_be_robbed_like_any_other() -> None:
    state = play(position((22, 24), (), aside_="WWWW4", seat=1), "stop", "steal")
    assert (state.view(None)["stacks"], last(state)["from"]) == ([[22], [24]], 0)


def test_stealing_can_be_made_mandatory() -> None:
    state = play(position((), (24,), aside_="WWWW4", steal="mandatory"), "stop")
    assert (state.view(None)["stacks"], last(state)["event"]) == ([[24], []], "steal")


def test_a_covered_tile_is_safe() -> None:
    assert play(position((), (24, 36), aside_="WWWW4"), "stop").view(None)["stacks"] == [[23], [24, 36]]


def test_ones_own_top_tile_counts_as_not_on_the_grill() -> None:
    assert play(position((24,), (), aside_="WWWW4"), "stop").view(None)["stacks"] == [[24, 23], []]


def test_declining_with_no_lower_tile_fails() -> None:
    state = play(position((36,), (24,), aside_="WWWW4", grill=[30]), "stop", "decline")
    assert (last(state)["why"], state.view(None)["stacks"]) == ("no_tile", [[], [24]])


def test_any_lower_tile_may_be_the_players_choice() -> None:
    state = play(position((), (), aside_="WWWW4", grill=[21, 22, 30], lower_tile="any_lower"), "stop")
    assert state.actions() == ("tile 21", "tile 22")
    assert play(state, "tile 21").view(None)["stacks"] == [[21], []]


def test_a_single_lower_tile_is_taken_without_asking() -> None:
    state = play(position((), (), aside_="WWWW4", grill=[22, 30], lower_tile="any_lower"), "stop")
    assert state.view(None)["stacks"] == [[22], []]


def test_a_failed_turn_returns_the_top_tile_and_turns_over_the_highest() -> None:
    view = play(position((30, 22), (), aside_="1"), "stop").view(None)
    assert (view["stacks"], view["facedown"]) == ([[30], []], [36])
    assert 22 in view["grill"]


def test_a_returned_tile_that_is_highest_stays_face_up() -> None:
    view = play(position((36,), (), aside_="1"), "stop").view(None)
    assert (view["facedown"], 36 in view["grill"], view["last"]["flipped"]) == ([], True, [])


def test_a_failed_turn_without_tiles_changes_nothing() -> None:
    view = play(position((), (), aside_="1"), "stop").view(None)
    assert (view["grill"], view["facedown"]) == (list(TILES), [])
    flipped = play(position((), (), aside_="1", flip_without_return=True), "stop").view(None)
    assert flipped["facedown"] == [36]


@pytest.mark.parametrize(
    ("variant", "own", "facedown"),
    [
        ("off", 22, [36]),
        ("off", 36, []),
        ("flip_highest_always", 22, [36]),
        ("flip_highest_always", 36, [36]),
        ("returned_facedown_and_highest", 22, [22, 36]),
        ("returned_facedown_and_highest", 36, [35, 36]),
        ("returned_facedown_only", 22, [22]),
        ("returned_facedown_only", 36, [36]),
    ],
)
def test_what_the_short_variants_turn_over(variant: str, own: int, facedown: list[int]) -> None:
    view = play(position((own,), (), aside_="1", short_variant=variant), "stop").view(None)
    assert (view["facedown"], view["stacks"], view["last"]["returned"]) == (facedown, [[], []], own)


@pytest.mark.parametrize("variant", ["flip_highest_always", "returned_facedown_and_highest", "returned_facedown_only"])
def test_in_the_short_variants_a_failed_turn_can_end_the_game(variant: str) -> None:
    state = play(position((36,), (21,), aside_="1", grill=[], short_variant=variant), "stop")
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.points, outcome.reason, state.event()) == ((0, 1), "grill_empty", "end")


def test_the_game_goes_on_while_one_tile_is_face_up() -> None:
    assert play(position((), (36,), aside_="WWWW4", grill=[22, 24]), "stop").outcome() is None


def test_taking_the_last_tile_ends_the_game() -> None:
    state = play(position((), (36,), aside_="WWWW4", grill=[24]), "stop")
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.points, outcome.places, outcome.tie_break, state.actions()) == ((1, 4), (2, 1), "", ())


def test_the_highest_single_tile_breaks_a_tie_and_seats_without_tiles_share() -> None:
    board = position((33,), (21, 25, 22), (), (), (34,), aside_="1").board._replace(over="grill_empty")
    outcome = pickomino_board_standing(board)
    assert (outcome.points, outcome.places, outcome.tie_break) == ((4, 4, 0, 0, 4), (2, 3, 4, 4, 1), "highest_tile")
    shared = pickomino_board_standing(position((), (), (21,), aside_="1").board)
    assert (shared.places, shared.tie_break) == ((2, 2, 1), "")


def test_eight_dice_or_six_faces_aside_end_the_turn() -> None:
    full = play(position((), (), aside_="WWWW444"), "roll", roll("1"), "take 1")
    assert last(full)["total"] == 33
    faces = play(position((), (), aside_="W5432"), "roll", roll("112"), "take 1")
    assert (last(faces)["total"], last(faces)["event"]) == (21, "take")


def test_the_turn_cap_ends_a_game_of_players_who_always_fail_with_equally_many_turns_for_all() -> None:
    state = position((), (), (36,), aside_="1", seat=2, turn=3 * 100 - 3)
    state = play(state, "stop")
    for _ in range(2):
        state = play(state, roll("11111111"), "take 1")
    assert state.outcome() is None
    outcome = play(state, roll("11111111"), "take 1").outcome()
    assert outcome is not None
    assert (outcome.reason, outcome.points) == ("turn_cap", (0, 0, 0))


def test_the_last_turn_before_the_cap_counts() -> None:
    state = play(position((), (), aside_="WWWW4", seat=1, turn=2 * 100), "stop")
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.reason, outcome.points) == ("turn_cap", (0, 1))


def test_events_are_reported_once_when_a_turn_has_ended() -> None:
    state = play(position((), (), aside_="WWWW4"), "stop")
    assert state.event() == "take"
    assert play(state, roll("11111111")).event() == ""
    assert play(state, roll("11111112"), "take 1", "roll").event() == ""


def test_the_seats_take_turns_clockwise_whatever_happened() -> None:
    for stopped in ("1", "WWWW4", "WW"):
        assert play(position((), (), (), aside_=stopped, seat=1), "stop").board.seat == 2
    assert play(position((), (), (24,), aside_="WWWW4", seat=1), "stop", "steal").board.seat == 2
    assert play(position((), (), (), aside_="1", seat=2), "stop").board.seat == 0


def test_a_record_distinguishes_rolls_that_offer_the_same_choices() -> None:
    start = position((), (), aside_="1").board
    rolled = [pickomino_position_next_turn(start).play(roll(dice)) for dice in ("11122223", "11222233")]
    assert rolled[0].actions() == rolled[1].actions()
    assert rolled[0].facts() != rolled[1].facts()
