"""What a newcomer finds a minute after `make run`."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from arena.demo import CUPS, demo_cup_entrants
from tests.browser import people
from tests.browser.running import Site, site
from tests.waiting import eventually

pytestmark = [pytest.mark.browser, pytest.mark.postgres, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def place() -> Iterator[Site]:
    with site() as running:
        yield running


def test_a_match_of_the_demo_finishes_soon_and_its_replay_plays(
    somebody: Callable[[], Page],
) -> None:
    page = somebody()
    cup = page.get_by_role("link", name=re.compile("Backyard Cup")).first

    def is_announced() -> bool:
        page.goto("/")
        return cup.count() > 0

    assert eventually(is_announced, 180, every=1)
    address = str(cup.get_attribute("href"))
    replay = page.get_by_role("link", name="Replay").first

    def is_played() -> bool:  # a page that was loaded while entries were open only tells that much has changed
        page.goto(address)
        return replay.count() > 0

    assert eventually(is_played, 180, every=1)
    replay.click()
    people.loaded(page)
    assert eventually(lambda: people.step(page) >= 3), "it plays by itself"


def test_a_match_is_on_air_while_one_looks(somebody: Callable[[], Page]) -> None:
    page = somebody()
    long_table = page.get_by_role("row")
    for bot in demo_cup_entrants(next(cup for cup in CUPS if cup.name == "Long Table")):
        long_table = long_table.filter(has_text=bot.title)

    def is_on_air() -> bool:
        page.goto("/matches/?state=on_air")
        return long_table.count() > 0

    assert eventually(is_on_air, 180, every=1)  # once it is played, it is on air for minutes
    long_table.get_by_role("link").first.click()
    expect(page.locator(".rp-live")).to_be_visible()
    before = people.last_step(page)
    assert eventually(lambda: people.last_step(page) > before)
