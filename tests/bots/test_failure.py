"""What a failure shows of the source and the view."""

import json
from urllib.parse import unquote

import pytest

from bots.failure import LINE_WIDTH, Failure, failure_source_excerpt, failure_view_text

TEN = b"".join(b"line %d\r\n" % n for n in range(1, 11))


@pytest.mark.parametrize(("line", "numbers"), [(1, range(1, 6)), (5, range(1, 10)), (10, range(6, 11))])
def test_the_excerpt_is_the_line_and_what_is_around_it(line: int, numbers: range) -> None:
    shown = failure_source_excerpt(TEN, line)
    assert [(one.number, one.text) for one in shown] == [(n, f"line {n}") for n in numbers]
    assert [one.number for one in shown if one.is_culprit] == [line]


@pytest.mark.parametrize("line", [0, -3, 11, 10**9])
def test_a_line_that_the_source_has_not_shows_nothing(line: int) -> None:
    assert failure_source_excerpt(TEN, line) == ()


def test_a_form_feed_is_no_line_end_and_an_endless_line_is_cut() -> None:
    (first, second) = failure_source_excerpt(b"a\x0c\xe2\x80\xa8b\n" + b"x" * 10_000, 2)
    assert (first.number, second.text) == (1, "x" * LINE_WIDTH)


def test_a_view_is_shown_as_json_that_can_be_read_back() -> None:
    view = {"grill": [21, 22], "aside": {"W": 1}, "näme": None}
    assert json.loads(failure_view_text(view)) == view
    assert failure_view_text(view).count("\n") == 4
    assert failure_view_text(None) == failure_view_text({}) == ""


def test_the_view_can_be_downloaded_as_it_was() -> None:
    view = {"grill": [21, 22], "you": 0, "text": "<&'\"% é"}
    link = Failure.of({"verdict": "crashed", "view": view}, {}).view_link
    head, _, data = link.partition(",")
    assert head == "data:application/json;charset=utf-8"
    assert json.loads(unquote(data)) == view
    assert not set(data) & set("<>&'\" ")


def test_time_is_measured_against_the_limit_that_was_broken() -> None:
    times = {"cpu": 0.5, "wall": 12.0, "limit": 10.0}
    assert Failure.of({"verdict": "wall_time", **times}, {}).spent == 1.2
    assert Failure.of({"verdict": "cpu_time", **times}, {}).spent == 0.05
    assert Failure.of({"verdict": "crashed"}, {}).spent == 0
