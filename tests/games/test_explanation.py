"""What bots say of their decisions: whatever they send, a short clean text and a number are left, or nothing."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.explanation import MARK_MOST, MARKS_MOST, NOTE_MOST, MoveExplanation, explanation_parted
from sandbox.inside import entry
from sandbox.inside.entry import entry_answer_read


class Liar(float):
    """A number whose own code fails."""

    def __float__(self) -> float:
        raise ZeroDivisionError


class Mute(str):
    """A text that denies what it is."""

    __slots__ = ()

    def __len__(self) -> int:
        raise ZeroDivisionError

    def __getitem__(self, at: Any) -> str:
        raise ZeroDivisionError


def read(**fields: Any) -> MoveExplanation | None:
    action, explanation = explanation_parted(entry_answer_read({"action": "go", **fields}, 256))
    assert action == "go"
    return explanation


def test_a_text_stays_right_and_an_object_may_say_more() -> None:
    assert explanation_parted(entry_answer_read("go", 256)) == ("go", None)
    assert explanation_parted(entry_answer_read({"action": "go"}, 256)) == ("go", None)
    assert explanation_parted(entry_answer_read({"action": "go", "mood": "good"}, 256)) == ("go", None)
    data = {"note": "25 is safe", "marks": ["tile 25", "roll"], "value": 0.8}
    assert read(**data) == MoveExplanation("25 is safe", ("tile 25", "roll"), 0.8)


@pytest.mark.parametrize("answer", [{}, {"note": "x"}, {"action": None}, {"action": 5}, {"action": {"action": "go"}}])
def test_an_object_without_a_text_as_its_action_is_no_answer(answer: Any) -> None:
    with pytest.raises(entry.NotTextError):
        entry_answer_read(answer, 256)


def test_an_action_in_an_object_is_no_longer_than_any() -> None:
    with pytest.raises(entry.TooLongError):
        entry_answer_read({"action": "x" * 257}, 256)


LONG = "m" * 10**4
NESTED: Any = []
for _ in range(2000):
    NESTED = [NESTED]


@pytest.mark.parametrize(
    "fields",
    [
        {"note": 5},
        {"note": {"note": "x"}},
        {"note": b"x"},
        {"note": NESTED},
        {"marks": "tile 25"},
        {"marks": {"tile 25": 1}},
        {"marks": ["tile 25", 5]},
        {"marks": [["tile 25"]]},
        {"marks": NESTED},
        {"marks": iter(["tile 25"])},
        {"value": "0.5"},
        {"value": True},
        {"value": float("nan")},
        {"value": float("inf")},
        {"value": -0.001},
        {"value": 1.001},
        {"value": 10**400},
        {"value": 1j},
        {"value": [0.5]},
        {"value": Liar(0.5)},
    ],
    ids=lambda fields: f"{next(iter(fields))} {type(next(iter(fields.values()))).__name__}",
)
def test_what_is_wrong_is_left_out_alone_and_the_author_reads_so_once(fields: Any, capsys: Any) -> None:
    entry._complained.clear()
    [key] = fields
    good = {"note": "n", "marks": ["m"], "value": 0.5}
    for _ in range(3):
        found = read(**{**good, **fields})
        assert found is not None
        assert found._asdict() == {**good, "marks": ("m",), key: MoveExplanation._field_defaults[key]}
    assert capsys.readouterr().err.startswith(f"act: {key} is left out: ")
    assert read(**fields) is None
    assert capsys.readouterr().err == ""


def test_long_explanations_are_cut() -> None:
    marks = [f"{n}{LONG}" if n < 99 else LONG for n in range(10**6)]
    found = read(note="\N{PILE OF POO}" * 10**6, marks=marks, value=1)
    assert found is not None
    assert (len(found.note), len(found.marks), found.value) == (NOTE_MOST, MARKS_MOST, 1)
    assert max(map(len, found.marks)) == MARK_MOST
    assert found.size < 4096


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        ("two\nlines\tand\r\nmore ", "two lines and more"),
        ("\u202eabc\u202c", "\ufffdabc\ufffd"),
        ("\x1b[31mred", "\ufffd[31mred"),
        ("\ud800", "?"),
        ("<b>&amp;", "<b>&amp;"),
    ],
)
def test_a_note_is_one_line_of_visible_characters(note: str, expected: str) -> None:
    found = read(note=note)
    assert found is not None
    assert found.note == expected


def test_a_subclass_of_text_is_read_as_plain_text() -> None:
    assert read(note=Mute("mute"), marks=[Mute("mark")]) == MoveExplanation("mute", ("mark",))


THINGS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.complex_numbers(),
    lambda some: st.lists(some, max_size=4) | st.dictionaries(st.text(max_size=3), some, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(["note", "marks", "value", "x"]), THINGS))
def test_every_explanation_is_text_and_json_or_nothing(fields: dict[str, Any]) -> None:
    found = read(**fields)
    if found is not None:
        assert json.dumps(found, allow_nan=False)
        assert all(text.isprintable() for text in (found.note, *found.marks))
        assert len(found.note) <= NOTE_MOST
        assert len(found.marks) <= MARKS_MOST
