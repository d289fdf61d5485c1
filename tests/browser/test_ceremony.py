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
from tournaments.selectors.pages.ceremony import ceremony_ranks_of
print(where, *(cup.entries.get(pk=one.entrant).bot.name for rank in ceremony_ranks_of(cup) for one in rank))
"""

# A winner, one who follows, and two who share the third place.
SHARED = """
from tests.browser import cast
from tests.tournaments.rulings.rule import played
from tournaments.models import Tournament
where = cast.begin('Level Cup', ('plum', 'quince', 'rowan', 'sloe'), rounds=3, publication='hidden',
                   tie_breaks=['wins', 'shared', 'lot'], first_round_at=None)
cup = Tournament.objects.get(name='Level Cup')
keys = sorted(cup.entries.values_list('pk', flat=True))
tier = {key: max(1, place) for place, key in enumerate(keys)}
judge = lambda met: [(1 + (tier[a] > tier[b]) - (tier[a] < tier[b])) / 2 for a, b in (met, met[::-1])]
cup = played(cup, judge)
print(where, *(cup.entries.get(pk=key).bot.name for key in keys))
"""

SPEECH = """
window.spoken = [];
const value = { cancel() {}, speak: ({ lang, text }) => spoken.push([lang, text]) };
Object.defineProperty(window, "speechSynthesis", { value });
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
"""
SPOKEN = {
    "en": ("Place 3, shared: {}, {}.", "Place 2: {}.", "The winner is {}."),
    "de": ("Platz 3, geteilt: {}, {}.", "Platz 2: {}.", "Gewonnen hat {}."),
    "fr": ("Place 3, partagée : {}, {}.", "Place 2 : {}.", "Le vainqueur est {}."),
    "it": ("Posto 3, a pari merito: {}, {}.", "Posto 2: {}.", "Il vincitore è {}."),
}
MEDALS = "(where) => [...document.querySelectorAll(where)].map((one) => getComputedStyle(one).backgroundColor)"
# As when there are so many ranks that with each new one the oldest goes from the list.
AS_LONG_AS_BEFORE = """() => {
  const rail = document.querySelector("#ceremony-rail");
  const list = rail.querySelector("ol").cloneNode(true);
  list.lastElementChild.remove();
  list.prepend(list.firstElementChild.cloneNode(true));
  list.firstElementChild.dataset.say = "Another.";
  rail.replaceChildren(list);
}"""
# As when two ranks were revealed before the page asked again.
TWO_AT_ONCE = """() => {
  const rail = document.querySelector("#ceremony-rail");
  const list = rail.querySelector("ol").cloneNode(true);
  for (const say of ["One more.", "Two more."]) {
    list.prepend(list.firstElementChild.cloneNode(true));
    list.firstElementChild.dataset.say = say;
  }
  rail.replaceChildren(list);
}"""
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


def reveal(organiser: Page) -> None:
    """Press Space, and wait for the answer: until then the page takes no other press."""
    with organiser.expect_response(lambda answer: answer.request.method == "POST"):
        organiser.keyboard.press("Space")


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
        reveal(organiser)
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
    # Twenty seconds between ranks: two of them are more than a cluster may have.
    frames = ceremony_video.record(browser, spectator.url.rstrip("/") + "/ceremony/", seconds=20)
    easel = browser.new_page()
    assert easel.evaluate(PLAY, list(webm(frames, 1280, 720))) == [20 + 20 + 3 * 40, 1280, 720]
    easel.close()


def test_shared_ranks_autoplay_speech_and_the_overlay(somebody: Callable[[], Page], place: Site) -> None:
    address, *names = place.shell(SHARED).split()
    rows = [f"{name} ({name.lower()})" for name in names]
    organiser, overlay = somebody(), somebody()
    people.sign_in(organiser, "organiser", place.organiser_password)
    organiser.goto(f"{address}ceremony/")
    organiser.get_by_role("button", name="Start the ceremony").click()

    spectators = {language: somebody() for language in SPOKEN}
    for language, spectator in spectators.items():
        spectator.add_init_script(SPEECH)
        spectator.set_extra_http_headers({"Accept-Language": language})
        spectator.goto(f"{address}ceremony/")
        spectator.locator("[data-speech] input").check()
    overlay.goto(f"{address}ceremony/?overlay=1")
    medal = overlay.locator(".ceremony-stage .place")

    # By itself: the bots that share a rank come together, and the podium waits twice as long.
    organiser.get_by_label("Seconds from one rank to the next").select_option("8")
    organiser.get_by_role("button", name="Start autoplay").click()
    stage = organiser.locator("#ceremony-stage")
    expect(stage.locator("li")).to_have_count(2)
    expect(stage).to_contain_text("shared")
    with organiser.expect_response(lambda answer: answer.request.method == "POST"):
        organiser.get_by_role("button", name="Stop autoplay").click()
    expect(organiser.get_by_role("button", name="Start autoplay")).to_be_visible()
    expect(medal).to_have_text("3")
    medals = overlay.evaluate(MEDALS, ".ceremony-stage .place")

    # What was clicked last does not take the next press of Space.
    organiser.locator("[data-speech]").click()
    for rank, name in ((2, names[2]), (1, names[3])):
        reveal(organiser)
        expect(stage).to_contain_text(name)
        expect(medal).to_have_text(str(rank))
        medals += overlay.evaluate(MEDALS, ".ceremony-stage .place")
    expect(organiser.locator("[data-speech] input")).to_be_checked()
    expect(organiser.locator("#ceremony-controls")).to_contain_text("the results are open to everyone")

    for language, spectator in spectators.items():
        expect(spectator.locator("#ceremony-stage")).to_contain_text(names[3])
        shared, second, first = SPOKEN[language]
        values = [(lang, text.replace("\N{NO-BREAK SPACE}", " ")) for lang, text in spectator.evaluate("window.spoken")]
        assert [one for one, _ in values] == [language] * 3
        assert sorted(values[0][1]) == sorted(shared.format(*rows[:2]))  # in either order
        assert [text for _, text in values[1:]] == [second.format(rows[2]), first.format(rows[3])]

    spectator = spectators["en"]
    # At once, for another announcement would bring the list back that is on the site.
    steps = f"({AS_LONG_AS_BEFORE})(); await null; ({TWO_AT_ONCE})(); await null;"
    later = f"async () => {{ {steps} return spoken.slice(-3); }}"
    assert [text for _, text in spectator.evaluate(later)] == ["Another.", "One more.", "Two more."]

    # Gold, silver and bronze are those of the page of the tournament.
    organiser.goto(address)
    on_page = organiser.evaluate(MEDALS, ".podium .place")
    assert len(set(medals)) == 3
    assert on_page == [medals[2], medals[1], medals[0], medals[0]]
