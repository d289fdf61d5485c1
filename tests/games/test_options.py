"""Options whose values are read by a form: stored in one form, refused with the reason and the form that is allowed."""

import json
from typing import Any

import pytest

from games.catalogue import current
from games.ruleset import NO_OR_YES, Form, FormError, Option, OptionError

NOT_THREE = "not three letters"


def read_word(value: object) -> Any:
    letters = list(value.strip()) if isinstance(value, str) else value
    if not isinstance(letters, list) or len(letters) != 3:
        raise FormError(NOT_THREE)
    return letters


WORD = Form("three letters", {"type": "array"}, read_word, "".join, (NOT_THREE,))
OPTION = Option(["a", "b", "c"], (["a", "b", "c"], ["x", "x", "x"]), "Word", "Which word.", WORD)


@pytest.mark.parametrize("given", ["xyz", " xyz\n", ["x", "y", "z"]])
def test_the_stored_value_does_not_depend_on_how_it_was_written(given: object) -> None:
    assert OPTION.settle("word", given) == ["x", "y", "z"]


@pytest.mark.parametrize("text", ["xyz", '["x","y","z"]'])
def test_a_form_reads_its_own_text_and_json(text: str) -> None:
    assert OPTION.settle("word", OPTION.read(text)) == ["x", "y", "z"]


WRONG = {
    ("laghetti", "deck"): [
        *(7, "1 2 3 4", "1 2 3\n" * 24, "1 2 3 4\n" * 24, "1 2 3 99\n" * 24),
    ],
    ("heckmeck", "golden_die_faces"): ["1 2", "1 1 1 1 1 X"],
    ("karteneck", "worms"): [[], [99] * 28, "0:1 " * 300, "x", "1:1", "0:0 0:0", "0:0"],
}


@pytest.mark.parametrize(("game", "name"), WRONG)
def test_every_sentence_of_a_form_is_known_beforehand_and_fits_what_it_is_about(game: str, name: str) -> None:
    option = current(game).options[name]
    assert option.form is not None
    found = set()
    for value in WRONG[game, name]:
        with pytest.raises(OptionError) as refused:
            option.settle(name, value)
        assert refused.value.why is not None
        found.add(refused.value.why.sentence)
    assert found == set(option.form.wrong)


@pytest.mark.parametrize("given", ["", "xy", 3, None, {}, [], ["x"] * 4])
def test_a_refusal_names_the_field_the_reason_and_the_form(given: object) -> None:
    with pytest.raises(OptionError) as refused:
        OPTION.settle("word", given)
    assert str(refused.value) == "option 'word': not three letters; allowed: three letters"
    assert (refused.value.field, refused.value.value, refused.value.allowed) == ("word", given, "three letters")


@pytest.mark.parametrize("text", ["[" * 5000, "9" * 5000, "{", "\0"])
def test_hostile_text_is_refused_like_any_other(text: str) -> None:
    with pytest.raises(OptionError):
        OPTION.settle("word", OPTION.read(text))


def test_a_listed_value_must_be_of_the_same_type() -> None:
    option = Option(5, (5, 3), "Rounds", "How many.")
    assert [option.settle("rounds", option.read(option.write(value))) for value in (5, 3)] == [5, 3]
    for value in (True, 5.0, "5", None):
        with pytest.raises(OptionError, match="allowed: 5, 3"):
            option.settle("rounds", value)
    assert option.schema() == {"enum": [5, 3]}
    assert json.loads(option.write(3)) == 3


def test_a_value_with_a_label_is_shown_by_it() -> None:
    option = Option(False, (False, True), "Rain", "Whether it rains.", words=NO_OR_YES)
    assert [option.say(value) for value in (True, False, "maybe")] == ["yes", "no", '"maybe"']
    assert Option(5, (5, 3), "Rounds", "How many.").say(3) == "3"
    assert OPTION.say(["a", "b", "c"]) == "abc"


def test_what_is_validated_is_the_callers_own() -> None:
    """A default that somebody changes stays what it was for everybody else."""
    laghetti = current("laghetti")
    laghetti.validate(3, {})["deck"][0].append(99)
    assert laghetti.validate(3, {}) == laghetti.validate(3, laghetti.validate(3, {}))


@pytest.mark.parametrize("players", current("pickomino").seats)
def test_the_short_game_is_offered_from_five_players_on_and_played_by_any_number_as_it_was(players: int) -> None:
    ruleset, short = current("pickomino"), {"short_variant": "flip_highest_always"}
    assert ruleset.offer(players, {}) == ruleset.validate(players, {})
    assert ruleset.validate(players, short)["short_variant"] == "flip_highest_always"
    assert ruleset.start(players, short).actions()
    if players >= 5:
        assert ruleset.offer(players, short) == ruleset.validate(players, short)
        return
    with pytest.raises(OptionError, match=f"'flip_highest_always' is not for {players} players") as refused:
        ruleset.offer(players, short)
    assert (refused.value.field, refused.value.allowed) == ("short_variant", ("off",))
