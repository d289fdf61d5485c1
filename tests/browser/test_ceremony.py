"""A ceremony: its organiser steps it by keys, a spectator's browser follows without a reload, and it is filmed."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import ceremony_video, people
from tests.browser.running import Site
from tests.browser.webm import webm

pytestmark = [pytest.mark.browser, pytest.mark.postgres, pytest.mark.timeout(420)]

OVER = """
from tests.browser import cast
from tests.tournaments.rulings.rule import played
from tournaments.models import Tournament
where = cast.begin('Silver Cup', ('plum', 'quince', 'rowan', 'sloe'), rounds=3, publication='hidden',
                   tie_breaks=['buchholz', 'lot'], first_round_at=None)
cup = played(Tournament.objects.get(name='Silver Cup'))
from tournaments.selectors.pages.ceremony import ranks_of
print(where, *(cup.entries.get(pk=one.entrant).bot.name for rank in ranks_of(cup) for one in rank))
"""

NAMED_AFTER = """() => [".ceremony-stage .ceremony-rank ul", ".ceremony-rail > ol > li"].map(
  (one) => getComputedStyle(document.querySelector(one)).animationDelay)"""
PLAY = """async (bytes) => {
  const video = document.createElement("video");
  const ready = new Promise((done, fail) => {
    Object.assign(video, { onseeked: done, onerror: () => fail(video.error.message) });
  });
  video.src = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: "video/webm" }));
  video.currentTime = 7;
  await ready;
  return [video.duration, video.videoWidth, video.videoHeight];
}"""


def test_a_spectator_follows_a_ceremony_that_its_organiser_steps_by_keys(
    somebody: Callable[[], Page], place: Site, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, *names = place.shell(OVER).split()
    assert len(names) == 4
    organiser, spectator = somebody(), somebody()
    people.sign_in(organiser, "organiser", place.organiser_password)
    organiser.goto(address)
    organiser.get_by_role("link", name="Hold a ceremony").click()
    organiser.get_by_role("button", name="Start the ceremony").click()
    expect(organiser.get_by_role("button", name="Reveal place 4")).to_be_visible()

    spectator.goto(address)
    spectator.get_by_role("link", name="Watch the ceremony").click()
    stage = spectator.locator("#ceremony-stage")
    expect(stage).to_contain_text("4 places are about to be revealed")
    spectator.evaluate(people.MARK)
    for place_left, name in zip((3, 2, 1, 0), names, strict=True):
        hidden = names[4 - place_left :]
        organiser.keyboard.press("Space")
        expect(stage).to_contain_text(name)
        shown = spectator.locator("ceremony-show").inner_text()
        assert not [one for one in hidden if one in shown]
        expect(organiser.locator("#ceremony-stage")).to_contain_text(name)
        assert spectator.evaluate(NAMED_AFTER) == ["0.9s", "0.9s"]  # the rail tells no name before the stage
        if place_left:
            word = "winner" if place_left == 1 else f"place {place_left}"
            expect(
                organiser.get_by_role("button", name=f"Reveal {'the ' if place_left == 1 else ''}{word}")
            ).to_be_visible()
    expect(spectator.locator("#ceremony-controls")).to_contain_text("the results are open to everyone")

    spectator.keyboard.press("ArrowLeft")
    expect(stage).to_contain_text(names[2])
    spectator.keyboard.press("ArrowRight")
    expect(stage).to_contain_text(names[3])
    assert spectator.evaluate("window.notReloaded")
    spectator.get_by_role("link", name="All results").click()
    expect(spectator.locator(".podium")).to_contain_text(names[3])

    monkeypatch.setattr(ceremony_video, "FRAME_MS", ceremony_video.REVEAL_MS)
    frames = ceremony_video.film(browser, spectator.url.rstrip("/") + "/ceremony/", seconds=2)
    easel = browser.new_page()
    assert easel.evaluate(PLAY, list(webm(frames, 1280, 720))) == [2 + 2 + 3 * 4, 1280, 720]
    easel.close()
