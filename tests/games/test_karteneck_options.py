"""The options of Karteneck: the table of worms in every way it may be written, and a table of six."""

import pytest

from games.catalogue import current
from games.catalogue.karteneck.portions import portions_read, portions_write
from games.ruleset import OptionError, SeatError
from pecking.testing.random_games import random_game_table

KARTENECK = current("karteneck")
DEFAULT = KARTENECK.options["worms"].default
TEXT = "0:0 16-24:1 25-28:2 29-32:3 33-36:4 37-40:5 41-42:6"


def test_the_default_is_the_placeholder_of_77_worms() -> None:
    assert sum(DEFAULT) == 77
    assert portions_write(DEFAULT) == TEXT


@pytest.mark.parametrize(
    "given",
    [
        TEXT,
        TEXT.replace(" ", ", "),
        f"  {TEXT}\n",
        DEFAULT,
        dict(zip(["0", *map(str, range(16, 43))], DEFAULT, strict=True)),
    ],
)
def test_a_table_is_stored_in_one_form_however_it_is_written(given: object) -> None:
    assert KARTENECK.validate(2, {"worms": given})["worms"] == DEFAULT


def test_every_table_reads_back_from_its_text() -> None:
    for table in ([0] * 28, [20] * 28, [number % 21 for number in range(28)]):
        assert portions_read(portions_write(table)) == table


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("", "'' is not like 16-24:1"),
        ("0:0 16-42:x", "is not like"),
        ("0:0 16-41:1", "the portion 42 is missing"),
        ("0:0 16-42:1 20:2", "the portion 20 is named twice"),
        ("0:0 15-42:1", "there are no portions 15-42"),
        ("0:0 42-16:1", "there are no portions 42-16"),
        ("0:0 16-42:21", "a portion has 0 to 20 worms"),
        ("0:0 " * 999, "longer than 1000"),
        ("0:0 16-42:\N{SUPERSCRIPT TWO}", "is not like"),
        ([1] * 27, "each of the 28"),
        ([True] * 28, "0 to 20 worms"),
        ([1.0] * 28, "0 to 20 worms"),
        ([-1] * 28, "0 to 20 worms"),
        ({"0": 0, "16": 1}, "the portion 17 is missing"),
        (None, "each of the 28"),
    ],
)
def test_a_wrong_table_is_refused_with_the_reason(given: object, why: str) -> None:
    with pytest.raises(OptionError) as wrong:
        KARTENECK.validate(2, {"worms": given})
    assert wrong.value.field == "worms"
    assert why in str(wrong.value)


def test_the_table_decides_the_points() -> None:
    state = KARTENECK.start(2, {"worms": "0:3 16-42:1"})
    assert state.view(None)["options"]["worms"] == [3] + [1] * 27


def test_six_play_five_rounds_with_all_portions_where_the_organiser_allows_it() -> None:
    state = KARTENECK.start(6, {"max_players": 6})
    assert (state.view(None)["rounds"], state.view(None)["players"]) == (5, 6)
    assert list(KARTENECK.usual_seats) == [2, 3, 4, 5]


@pytest.mark.parametrize("options", [{}, {"max_players": 5}])
def test_six_are_refused_by_the_name_of_the_option(options: dict[str, int]) -> None:
    with pytest.raises(OptionError) as refused:
        KARTENECK.validate(6, options)
    assert (refused.value.field, refused.value.allowed) == ("max_players", (6,))
    assert str(refused.value) == "option 'max_players': 5 is not for 6 players; allowed: 6"


def test_seven_are_refused_whatever_the_options_say() -> None:
    with pytest.raises(SeatError, match="allowed: 2 to 6"):
        KARTENECK.validate(7, {"max_players": 6})


def test_the_option_makes_no_difference_to_fewer() -> None:
    games = [random_game_table(KARTENECK, 5, {"max_players": most}, 1) for most in (5, 6)]
    assert games[0].record().encode() == games[1].record().encode()
