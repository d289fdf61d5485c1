"""The rules of the anniversary edition, sentence by sentence (sheet 001, RULINGS 2.2)."""

import pytest

from games.catalogue import current
from games.catalogue.grill.tiles import tile_worms
from games.catalogue.heckmeck.board import heckmeck_board_standing
from games.catalogue.heckmeck.rules import OUT, TILES
from games.chance import Dice
from games.state import CHANCE
from tests.games.heckmeck_positions import chance_of, last, play, position, roll, stacks, where

HECKMECK = current("heckmeck")


# --- set-up ---


def test_there_are_18_tiles_and_11_and_13_bear_one_worm() -> None:
    assert (11, 13, *range(21, 37)) == TILES
    assert [tile_worms(tile) for tile in TILES] == [1, 1] + [1] * 4 + [2] * 4 + [3] * 4 + [4] * 4


@pytest.mark.parametrize("players", HECKMECK.seats)
def test_a_game_starts_with_six_specialists_on_their_tiles_and_seven_bratworms(players: int) -> None:
    state = HECKMECK.start(players, {})
    view = state.view(None)
    assert (view["grill"], view["facedown"], view["stacks"]) == (list(TILES), [], [[]] * players)
    assert list(view["specialists"].items()) == [
        *[("canned_worm", "tile 11"), ("hen", "tile 21"), ("raven", "tile 23")],
        *[("weasel", "tile 25"), ("golden_die", "tile 27"), ("apple", "tile 29")],
    ]
    assert (view["supply"], view["bratworms"]) == (7, [0] * players)
    assert (state.actor, chance_of(state)) == (CHANCE, Dice(0, 0, 0, 8))


def test_a_random_start_player_is_drawn_before_the_first_turn() -> None:
    state = HECKMECK.start(3, {"start": "random"})
    assert (state.actions(), state.turn) == (("start 0", "start 1", "start 2"), 0)
    assert chance_of(state.play("start 2")) == Dice(2, 0, 0, 8)


# --- what a total wins ---


@pytest.mark.parametrize(("dice", "tile"), [("W51", 11), ("W53", 13)])
def test_11_and_13_are_taken_by_their_exact_total(dice: str, tile: int) -> None:
    assert stacks(play(position((), (), aside_=dice), "stop"))[0] == [tile]


@pytest.mark.parametrize("dice", ["W52", "W54", "W555"])
def test_11_and_13_are_never_the_next_lower_tile(dice: str) -> None:
    state = play(position((), (), aside_=dice), "stop")
    assert (last(state)["why"], stacks(state)) == ("no_tile", [[], []])


@pytest.mark.parametrize(("dice", "tile"), [("W51", 11), ("W53", 13)])
def test_11_and_13_are_never_stolen_and_their_total_wins_nothing_else(dice: str, tile: int) -> None:
    state = play(position((), (tile,), aside_=dice), "stop")
    assert (last(state)["why"], stacks(state)) == ("no_tile", [[], [tile]])


def test_a_player_may_have_both_low_tiles_unless_the_option_forbids_it() -> None:
    assert stacks(play(position((11,), (), aside_="W53"), "stop"))[0] == [11, 13]
    one = play(position((11, 22), (), aside_="W53", low_tiles_one_per_player=True), "stop")
    assert (last(one)["why"], stacks(one)[0]) == ("no_tile", [11])
    other = play(position((22,), (11,), aside_="W53", low_tiles_one_per_player=True), "stop")
    assert stacks(other)[0] == [22, 13]


def test_the_next_lower_tile_is_taken_but_who_declines_a_steal_gets_nothing_by_default() -> None:
    assert stacks(play(position((22,), (), aside_="WWWW2"), "stop"))[0] == [22, 21]
    state = play(position((), (22, 24), aside_="WWWW4"), "stop")
    assert state.actions() == ("steal", "decline")
    assert stacks(play(state, "steal")) == [[24], [22]]
    declined = play(state, "decline")
    assert stacks(declined) == [[], [22, 24]]
    assert (last(declined)["event"], last(declined)["why"], last(declined)["total"]) == ("bust", "declined", 24)
    failed = play(position((22, 25), (24,), aside_="WWWW4"), "stop", "decline")
    assert (stacks(failed), last(failed)["returned"], last(failed)["flipped"]) == ([[22], [24]], 25, 36)
    spared = play(position((), (22, 24), aside_="WWWW4", steal="optional"), "stop", "decline")
    assert stacks(spared) == [[23], [22, 24]]
    assert stacks(play(position((), (24,), aside_="WWWW4", steal="mandatory"), "stop")) == [[24], []]


# --- gaining specialists ---


def test_taking_a_tile_gives_the_specialist_on_it() -> None:
    state = play(position((), (), aside_="WWWWW4"), "stop")
    assert (stacks(state)[0], where(state, "apple")) == ([29], "seat 0")
    assert last(state)["moved"] == [{"specialist": "apple", "from": "tile 29", "to": "seat 0"}]


def test_stealing_a_tile_gives_its_owners_specialist_too() -> None:
    state = play(position((), (24,), aside_="WWWW4", places={"apple": 1}), "stop", "steal")
    assert (stacks(state), where(state, "apple")) == ([[24], []], "seat 0")


@pytest.mark.parametrize(
    ("kept", "places"), [("weasel", ("seat 0", "tile 22")), ("apple", ("tile 22", "seat 0"))], ids=str
)
def test_nobody_has_two_specialists_the_other_goes_to_the_lowest_free_tile(kept: str, places: tuple[str, str]) -> None:
    before = position((24,), (), aside_="WWWWW4", grill=[11, 21, 22, 23, 29], places={"weasel": 0})
    choice = play(before, "stop")
    assert (choice.actor, choice.actions(), choice.event()) == (0, ("keep weasel", "keep apple"), "")
    state = play(choice, f"keep {kept}")
    assert (where(state, "weasel"), where(state, "apple")) == places
    moved = [move["specialist"] for move in state.view(None)["last"]["moved"]]
    assert moved == (["apple"] if kept == "weasel" else ["apple", "weasel"])
    assert (state.actor, state.turn, state.event()) == (CHANCE, 2, "take")


def test_the_robbed_players_specialist_can_be_refused_and_goes_to_the_grill() -> None:
    before = position((), (24,), aside_="WWWW4", places={"apple": 1, "weasel": 0})
    state = play(before, "stop", "steal", "keep weasel")
    assert (where(state, "weasel"), where(state, "apple"), stacks(state)[0]) == ("seat 0", "tile 13", [24])


def test_a_specialist_that_finds_no_free_tile_leaves_the_game() -> None:
    before = position((24,), (), aside_="WWWWW4", grill=[21, 29], places={"weasel": 0})
    assert where(play(before, "stop", "keep apple"), "weasel") == "out"


def test_face_down_tiles_are_not_free() -> None:
    before = position((24,), (), aside_="WWWWW4", grill=[21, 29, 36], places={"weasel": 0})
    assert where(play(before, "stop", "keep apple"), "weasel") == "tile 36"


# --- a failed turn ---


def test_a_failed_turn_returns_the_tile_turns_over_the_highest_and_puts_the_specialist_back() -> None:
    state = play(position((30, 22), (), aside_="1", places={"apple": 0, "canned_worm": 11, "weasel": 13}), "stop")
    view = state.view(None)
    assert (view["stacks"][0], view["facedown"], 22 in view["grill"]) == ([30], [36], True)
    assert where(state, "apple") == "tile 22"


def test_the_returned_tile_is_free_for_the_own_specialist_and_the_displaced_one_comes_after() -> None:
    places = {"apple": 0, "canned_worm": 11, "hen": 21, "weasel": 36, "raven": OUT, "golden_die": OUT}
    state = play(position((22,), (), aside_="1", grill=[11, 21, 29, 36], places=places), "stop")
    assert (where(state, "apple"), where(state, "weasel"), state.view(None)["facedown"][-1]) == (
        "tile 22",
        "tile 29",
        36,
    )
    assert [move["specialist"] for move in last(state)["moved"]] == ["apple", "weasel"]


def test_a_displaced_specialist_without_a_free_tile_leaves_the_game() -> None:
    places = {"apple": 0, "canned_worm": 11, "weasel": 36, "raven": OUT, "golden_die": OUT, "hen": OUT}
    state = play(position((22,), (), aside_="1", grill=[11, 36], places=places), "stop")
    assert (where(state, "apple"), where(state, "weasel")) == ("tile 22", "out")


def test_the_raven_too_moves_on_from_a_tile_that_is_turned_over() -> None:
    state = play(position((22,), (), aside_="1", places={"raven": 36}), "stop")
    assert (where(state, "raven"), state.view(None)["facedown"]) == ("tile 13", [36])


def test_a_returned_tile_that_is_highest_stays_face_up() -> None:
    view = play(position((36,), (), aside_="1"), "stop").view(None)
    assert (view["facedown"], 36 in view["grill"], view["last"]["flipped"]) == ([], True, None)


def test_a_failed_turn_without_tiles_turns_nothing_over_but_costs_the_specialist() -> None:
    state = play(position((), (), aside_="1", places={"apple": 0}), "stop")
    assert (state.view(None)["facedown"], where(state, "apple")) == ([], "tile 13")


def test_13_is_turned_over_when_nothing_higher_is_left() -> None:
    assert play(position((11,), (), aside_="1", grill=[13]), "stop").view(None)["facedown"][0] == 13


# --- the end ---


def test_the_game_goes_on_for_11_and_13_unless_the_option_says_otherwise() -> None:
    assert play(position((), (), aside_="WWWW4", grill=[11, 24]), "stop").outcome() is None
    ended = play(position((), (), aside_="WWWW4", grill=[11, 24], end_ignores_11_13=True), "stop").outcome()
    assert ended is not None
    assert (ended.points, ended.reason) == ((1, 0), "grill_empty")
    last_one = play(position((), (), aside_="W51", grill=[11]), "stop").outcome()
    assert last_one is not None
    assert last_one.points == (1, 0)


def test_the_last_tile_brings_its_specialist_before_the_game_ends() -> None:
    before = position((22,), (36,), aside_="WWWWW4", grill=[29], places={"weasel": 0})
    outcome = play(before, "stop", "keep apple").outcome()
    assert outcome is not None
    assert outcome.points == (1 + 3 + 3, 4)
    assert where(play(before, "stop", "keep weasel"), "apple") == "out"


def test_tiles_bratworms_and_the_apple_count_and_the_highest_tile_breaks_ties() -> None:
    state = position((33,), (21,), (22,), (), aside_="1", bratworms=(0, 0, 3, 0), places={"apple": 1})
    assert state.view(None)["worms"] == [4, 4, 4, 0]
    outcome = heckmeck_board_standing(state.board._replace(over="grill_empty"))
    assert (outcome.places, outcome.tie_break) == ((1, 3, 2, 4), "highest_tile")
    shared = heckmeck_board_standing(position((), (), (21,), aside_="1", bratworms=(2, 2, 0)).board)
    assert (shared.places, shared.tie_break) == ((1, 1, 3), "")


def test_the_turn_cap_ends_a_game() -> None:
    outcome = play(position((), (), aside_="WWWW4", seat=1, turn=2 * 100), "stop").outcome()
    assert outcome is not None
    assert (outcome.reason, outcome.points) == ("turn_cap", (0, 1))


@pytest.mark.parametrize("places", [{}, {"golden_die": 1}, {"weasel": 1}])
def test_events_are_reported_once_when_a_turn_has_ended(places: dict[str, int]) -> None:
    state = play(position((), (), aside_="WWWW4", places=places), "stop")
    assert state.event() == "take"
    after = play(state, "leave golden_die") if "golden_die" in places else play(state, roll("11111111"))
    assert after.event() == ""
    if "weasel" in places:
        assert play(after, "use weasel").event() == ""
