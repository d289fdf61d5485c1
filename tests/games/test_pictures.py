"""Small pictures of random games, with any names."""

import random
from itertools import islice
from xml.etree.ElementTree import fromstring

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.catalogue import GAMES
from games.picture import BYTES_MAX, PicturePlayer, PictureText, picture, picture_alone, plain
from pecking.testing.checks import check_picture
from pecking.testing.random_games import random_game_options_needed, random_game_states

NAMES = st.lists(st.text(max_size=40), min_size=7, max_size=7)
every_game = pytest.mark.parametrize("name", GAMES)


def text_of(drawn: str) -> str:
    return " ".join("".join(fromstring(drawn).itertext()).split())


@every_game
@given(st.data(), NAMES, st.integers(0, 999))
def test_any_position_with_any_names_is_a_small_picture(
    name: str, data: st.DataObject, names: list[str], key: int
) -> None:
    ruleset = GAMES[name].current
    players = data.draw(st.sampled_from(ruleset.seats))
    start = data.draw(st.integers(0, 150))
    seats = random.Random(key).sample(range(players), players)
    for state, _ in islice(
        random_game_states(ruleset, players, random_game_options_needed(ruleset, players), key), start, start + 3
    ):
        check_picture(state, GAMES[name], [PicturePlayer(names[seat], seat) for seat in seats])


@every_game
def test_it_says_who_leads_and_who_is_to_move(name: str) -> None:
    game = GAMES[name]
    players = [PicturePlayer(f"Bird {seat}", seat) for seat in range(3)]
    state = next(state for state, _ in random_game_states(game.current, 3, {}, 1) if state.actor == 1)
    description = fromstring(game.picture(state.view(None), players))[1].text or ""
    assert "Bird 1 is to move." in description
    assert "Level at the top" in description or "leads with" in description
    assert game.title in text_of(game.picture(state.view(None), players))


@every_game
def test_it_says_that_a_game_is_over_with_nobody_to_move(name: str) -> None:
    game = GAMES[name]
    players = [PicturePlayer(f"Bird {seat}", seat) for seat in range(3)]
    *_, (state, action) = random_game_states(game.current, 3, {}, 1)
    description = fromstring(game.picture(state.play(action).view(None), players))[1].text or ""
    assert description.startswith("The game is over.")
    assert "to move" not in description


def test_each_seat_of_the_match_keeps_its_colour_wherever_it_sits() -> None:
    game = GAMES["pickomino"]
    view = game.current.start(2, {}).view(None)
    drawn = game.picture(view, [PicturePlayer("late", 1), PicturePlayer("early", 0)])
    assert drawn.index("#e69f00") < drawn.index("#0072b2")


def test_a_long_name_is_cut_between_letters_and_never_inside_an_entity() -> None:
    drawn = picture("<T>", plain, {"actor": -1}, [PicturePlayer("&" * 30, 0), PicturePlayer("\ud800\0" + "x" * 30, 1)])
    assert ">&amp;&amp;&amp;&amp;…</text>" in drawn
    assert f">{'x' * 12}…</text>" in drawn
    assert len(picture_alone(drawn).encode()) < BYTES_MAX


@every_game
@pytest.mark.parametrize("text", ["1", "5", "W", "W20", "C 24", '<b x="">&'])
def test_a_piece_is_a_small_drawing_with_any_text(name: str, text: str) -> None:
    drawn = fromstring(GAMES[name].piece(text))
    assert drawn.attrib["height"] == "28"
    assert drawn.attrib["width"] == drawn.attrib["viewBox"].split()[2]
    assert {one.tag for one in drawn.iter()} <= {"svg", "rect", "text", "path", "circle"}


def test_a_die_shows_its_pips() -> None:
    die = GAMES["pickomino"].piece
    assert [die(str(face)).count("<circle") for face in range(1, 6)] == [1, 2, 3, 4, 5]


def test_the_description_is_translated() -> None:
    values = {PictureText.MOVES: "%(name)s ist am Zug.", PictureText.LEVEL: "", PictureText.LEADS: ""}
    drawn = picture("T", plain, {"actor": 0}, [PicturePlayer("Ada", 0)], lambda text: values[PictureText(text)])
    assert "<desc>Ada ist am Zug.</desc>" in drawn


def test_a_file_of_its_own_follows_the_theme_and_has_a_ground() -> None:
    file = picture_alone(
        picture("T", plain, {"actor": 0, "points": [3, 4]}, [PicturePlayer("a", 0), PicturePlayer("b", 1)])
    )
    assert "--ink:light-dark(#14211f,#e7efee)" in file
    assert "M0 0h320v168H0z" in file
    assert "b leads with 4." in text_of(file)
