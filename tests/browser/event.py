"""An event as its organiser sees it in a browser: rounds, rulings, and a picture of every state."""

import os
from pathlib import Path
from typing import Final

from playwright.sync_api import Page, expect

from tests.browser.running import Site
from tests.browser.screenshots import SCHEMES, WIDTHS
from tests.waiting import eventually

PATIENCE: Final = 600  # seconds for a round of 13 matches on a machine that has other work
SHOTS: Final = os.environ.get("EVENT_SHOTS", "")
CUT_OFF: Final = "[...document.querySelectorAll('table.standings')].some(t => t.scrollWidth > t.parentNode.clientWidth)"
ACCEPTED: Final = "SELECT count(*) FROM bots_bot WHERE current_id IS NOT NULL"
DRAWN: Final = "SELECT count(*) FROM tournaments_round WHERE number = {number}"
OPEN: Final = """
SELECT count(*) FROM tournaments_fixture f JOIN tournaments_round r ON f.round_id = r.id
JOIN matches_match m ON m.id = f.match_id WHERE r.number = {number} AND m.state <> 'finished'
"""
FINISHED: Final = "SELECT count(*) FROM tournaments_tournament WHERE state = 'finished'"


class Event:
    """The organiser's browser, and what the event has come to."""

    def __init__(self, page: Page, site: Site) -> None:
        self.page = page
        self.site = site
        self.address = ""
        self._shots = 0

    def shot(self, name: str, page: Page | None = None) -> None:
        """How it looks at both widths: nothing is wider than the screen, and no column of the standings is cut off."""
        page = page or self.page
        before = page.viewport_size
        self._shots += 1
        for device, (width, height) in WIDTHS.items():
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("document.fonts.ready")
            for scheme in SCHEMES if SHOTS else ():
                page.emulate_media(color_scheme=scheme)
                file = f"{self._shots:02}-{name}-{device}-{scheme}.png"
                page.screenshot(path=Path(SHOTS) / file, full_page=True)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{name} on a {device}"
            assert not page.evaluate(CUT_OFF), f"the standings of {name} on a {device}"
        assert before is not None
        page.set_viewport_size(before)

    def go(self, path: str = "") -> Page:
        self.page.goto(f"{self.address}{path}")
        return self.page

    def wait_for(self, query: str, wanted: int = 1) -> None:
        assert eventually(lambda: self.site.count(query) == wanted, PATIENCE, every=0.5), (query, self.site.output)

    def begin_round(self, number: int) -> None:
        """Once it is drawn, the organiser lets it begin."""
        self.wait_for(DRAWN.format(number=number))
        self.go(f"rounds/{number}/arrange/").get_by_role("button", name="Start round").click()
        expect(self.page.get_by_text(f"Round {number} has begun.")).to_be_visible()

    def play_round(self, number: int) -> None:
        self.begin_round(number)
        self.wait_for(OPEN.format(number=number), 0)

    def tables(self, number: int) -> list[str]:
        """Of a round that waits."""
        return self.go(f"rounds/{number}/arrange/").locator(".fixtures > li").all_inner_texts()

    def rule(self, kind: str, reason: str, **choices: str) -> None:
        """Choose, look at what follows, confirm."""
        page = self.go("rulings/")
        page.locator("main").get_by_role("link", name=kind, exact=True).first.click()
        for field, value in choices.items():
            dots = page.locator(f"[name={field}][type=radio]")
            if dots.count():
                dots.nth(int(value)).check()
            elif value.isdecimal():
                page.select_option(f"[name={field}]", index=int(value))
            else:
                page.select_option(f"[name={field}]", label=value)
            if field == "round":
                page.get_by_role("button", name="Show the tables of this round").click()
                expect(page.locator("[name=table], [name=table] option").first).to_be_attached()
        page.get_by_role("button", name="Preview effects").click()
        self.confirm(kind, reason)

    def confirm(self, kind: str, reason: str) -> None:
        page = self.page
        expect(page.get_by_role("heading", name="What follows")).to_be_visible()
        self.shot(f"ruling-{kind.lower().replace(' ', '-')}")
        page.fill("[name=reason]", reason)
        page.get_by_role("button", name="Confirm ruling").click()
        expect(page.locator(".ruling-log")).to_contain_text(reason)
