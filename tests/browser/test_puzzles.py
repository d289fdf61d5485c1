"""A puzzle on a phone: drawn on the game's board, its actions in words, answered by a visitor."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.running import Site

pytestmark = [pytest.mark.browser, pytest.mark.postgres]

MAKE = """
from games.catalogue import GAMES
from puzzles.making import puzzle_making_from_play
[one, *_] = puzzle_making_from_play(GAMES["pickomino"], bytes(range(16)))
one.save()
print(one.pk, one.played)
"""


def test_a_visitor_answers_a_puzzle_on_the_board_of_its_game(somebody: Callable[[], Page], place: Site) -> None:
    number, played = place.shell(MAKE).split(" ", 1)
    visitor = somebody()
    visitor.set_viewport_size({"width": 390, "height": 844})
    visitor.goto(f"/puzzles/{number}/")
    expect(visitor.locator(".puzzle-board .pk-board")).to_be_visible()
    wrong = visitor.locator(f'button[value="{played}"]')
    expect(wrong).to_have_text(re.compile("Keep|Roll|Stop|Steal|Take"))  # in the words of the game, not of its bots
    assert visitor.evaluate("document.documentElement.scrollWidth") <= 390
    wrong.click()
    expect(visitor.get_by_role("status")).to_contain_text("Not the best.")
    expect(visitor.locator("table .badge").first).to_be_visible()
    expect(visitor.locator(".puzzle-board .pk-board")).to_be_visible()
