"""The tab *View* of a replay: what a bot saw, printed and chose at a step, for its author."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, expect

from tests.bots.factories import BotVersionFactory
from tests.matches.factories import FinishedMatchFactory

TALKS = b"""
def act(view):
    print("<b>turn</b> %d" % view["turn"])
    return view["actions"][-1]
"""


@pytest.fixture(scope="module", autouse=True)
def _database_beside_the_browser() -> Iterator[None]:
    """Django takes the loop that drives the browser for a view's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        yield


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_an_author_walks_from_decision_to_decision(
    browser: Browser, live_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    mine = BotVersionFactory(source=TALKS)
    match = FinishedMatchFactory(seats=[mine, BotVersionFactory()])
    client = Client()
    client.force_login(mine.bot.owner)
    session = {"name": settings.SESSION_COOKIE_NAME, "value": client.cookies[settings.SESSION_COOKIE_NAME].value}
    context = browser.new_context(base_url=live_server.url, reduced_motion="reduce")
    context.add_cookies([{**session, "url": live_server.url}])
    page = context.new_page()
    page.goto(f"/matches/{match.pk}/?step=1")
    page.get_by_role("tab", name="View").click()
    panel = page.locator(".saw-panel")
    expect(panel).to_contain_text("Decision 1 of")
    expect(panel).to_contain_text("<b>turn</b> 1")
    expect(panel).to_contain_text('"actions": [')
    panel.get_by_role("button", name="Next").click()
    expect(panel).to_contain_text("Decision 2 of")
    page.keyboard.press("End")
    expect(panel.get_by_role("button", name="Next")).to_be_disabled()
    file = panel.get_by_role("link", name="Download for peck replay")
    assert page.request.get(file.get_attribute("href") or "").body().startswith(b"PK")
    context.close()
