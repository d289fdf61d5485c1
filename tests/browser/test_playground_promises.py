"""What the pages of the playground promise: nothing is sent, and NumPy, which browsers lack, is missed in words."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from arena.playground.context import settings_shown
from tests.browser.people import loaded
from tests.browser.test_playground import FIRST, play, write

pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(900),
    pytest.mark.skipif(not settings_shown(), reason="no Python for browsers: npm brings it"),
]


@pytest.mark.parametrize("line", ["import numpy as np", "from numpy.random import default_rng"])
def test_that_there_is_no_numpy_is_told_at_its_line_with_what_to_do(somebody: Callable[[], Page], line: str) -> None:
    page = somebody()
    page.goto("/playground/")
    expect(page.get_by_text("there is no NumPy")).to_be_visible()
    write(page, f"import random\n{line}\n{FIRST}")
    play(page)
    fault = page.locator("#pg-fault")
    expect(fault).to_contain_text("in a browser there is none: play this bot at home ('peck play'), or save it")
    expect(fault).not_to_contain_text("standard library, numpy")
    expect(page.locator(".pg-marked")).to_have_text(re.compile(r"^2\s*$"))
    expect(fault.get_by_role("button", name="Line 2")).to_be_visible()


def test_nothing_is_sent_while_one_writes_and_plays(somebody: Callable[[], Page]) -> None:
    page = somebody()
    asked = []
    page.on("request", lambda request: asked.append((request.method, request.post_data, request.url)))
    page.goto("/playground/")
    write(page, f"# my secret\n{FIRST}")
    play(page)
    loaded(page)
    page.goto("/playground/play/?game=pickomino")
    page.select_option("#pg-seat", "0")
    page.get_by_role("button", name="Begin").click()
    page.locator("#pg-choices button[data-action]").first.click()
    expect(page.locator(".rp-stage")).to_be_visible()
    assert asked
    assert {(method, body) for method, body, _url in asked} == {("GET", None)}
    assert not [url for _method, _body, url in asked if "secret" in url or "take" in url]
