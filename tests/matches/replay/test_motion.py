"""What moves in the replay player: the same in every replay, and no sentence depends on it."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from games.beats import beats_of
from games.catalogue import GAMES
from games.frames import frames
from tests.browser.chromium import WAIT_MS, stop_the_clock
from tests.browser.people import loaded
from tests.matches.replay.player_server import RECORDS, canned, stage

pytestmark = pytest.mark.browser

FRAMES = list(frames(RECORDS[0]))
BEATS = beats_of(GAMES["pickomino"].mark, FRAMES)
LAST = len(FRAMES) - 1
# Time stands still on the page between a key and the look at what it moved.
HALT = "document.getAnimations().forEach((one) => one.pause())"
MOVING = """() => {
  const moves = document.getAnimations().filter((one) => one.effect.getComputedTiming().duration > 1);
  const targets = moves.map((one) => one.effect.target).filter((one) => one.closest(".rp-stage"));
  return [...new Set(targets.map((one) => one.closest("[data-tile]")?.dataset.tile ?? one.getAttribute("class")))];
}"""


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Page]]:
    contexts = []

    def come(address: str = "", **options: Any) -> Page:
        context = browser.new_context(viewport={"width": 1280, "height": 720}, base_url=url, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(WAIT_MS)
        page.goto(f"/matches/7/{address}")
        loaded(page)
        return page

    with stage() as url:
        yield come
        for context in contexts:
            context.close()


def before(kind: str) -> int:
    """The step before the first beat of a kind that follows another."""
    at = next(n for n, beat in enumerate(BEATS) if beat.kind == kind and n)
    return BEATS[at - 1].last


def press(page: Page, key: str) -> None:
    """Press a key, and have all that it set in motion stand still at once."""
    page.evaluate(f"addEventListener('keydown', () => queueMicrotask(() => {HALT}), {{ once: true }})")
    page.keyboard.press(key)


# Dice fly for a moment only: those that are put in are noted, whenever the test comes to look.
NOTE_FLYING = """() => {
  window.flown = new Set();
  new MutationObserver(() => {
    for (const one of document.querySelectorAll(".pk-throw .pk-flying")) window.flown.add(one);
  }).observe(document, { childList: true, subtree: true });
}"""


# In each frame while dice are in the air: how far the page reaches beyond its window.
NOTE_REACH = """() => {
  window.reach = [];
  const look = () => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (document.querySelector(".pk-flying")) window.reach.push(scrollWidth - clientWidth);
    requestAnimationFrame(look);
  };
  look();
}"""


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (390, 664)])
def test_dice_in_the_air_leave_the_page_as_wide_as_its_window(
    visit: Callable[..., Page], width: int, height: int
) -> None:
    step = before("keep")
    page = visit(f"?step={step}")
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(NOTE_REACH)
    for _ in range(4):
        seen = page.evaluate("window.reach.length")
        page.keyboard.press("ArrowRight")
        page.wait_for_function(f"() => window.reach.length > {seen} && !document.querySelector('.pk-flying')")
        page.keyboard.press("ArrowLeft")
    assert max(page.evaluate("window.reach")) <= 0


def test_a_roll_tumbles_through_the_same_faces_in_every_replay(visit: Callable[..., Page]) -> None:
    seen = []
    for _ in range(2):
        page = visit(f"?step={before('keep')}")
        page.evaluate(NOTE_FLYING)
        press(page, "ArrowRight")
        page.wait_for_function("() => window.flown.size >= 8")  # a bare expression would be evaluated at each poll: CSP
        dice = "one => [...one.querySelectorAll('.die')].map(face => face.dataset.face).join('')"
        seen.append(page.evaluate(f"[...window.flown].map({dice})"))
    assert seen[0] == seen[1]
    assert all(len(faces) == 4 for faces in seen[0])
    rolled = next(frame for frame in FRAMES[before("keep") + 1 :] if frame.action.startswith("roll "))
    assert [faces[-1] for faces in seen[0]] == rolled.action.split()[1:]


@pytest.mark.parametrize("kind", ["take", "steal"])
def test_a_tile_travels_to_its_new_owner(visit: Callable[..., Page], kind: str) -> None:
    step = before(kind)
    tile = next(frame for frame in FRAMES[step + 1 :] if frame.key == kind).view["last"]["tile"]
    page = visit(f"?step={step}")
    press(page, "ArrowRight")
    moving = page.evaluate(MOVING)
    assert str(tile) in moving
    assert ("bd-place pk-player" in moving) == (kind == "steal")  # who is robbed shakes


def test_a_trick_sails_to_its_winner_as_it_lay(visit: Callable[..., Page]) -> None:
    game_frames = list(frames(canned("laghetti")))
    won = next(frame.n for frame in game_frames if frame.view["phase"] == "lead" and len(frame.view["tricks"]) == 1)
    page = visit(f"../../boards/laghetti/?step={won}")
    box = (
        "one => { const { width, left } = one.getBoundingClientRect(); return [Math.round(width), Math.round(left)]; }"
    )
    lay = page.locator(".lg-trick .lg-card").evaluate_all(f"all => all.map({box})")
    paper = "all => all.map(one => getComputedStyle(one.querySelector('.lg-value:not([data-named])')).backgroundColor)"
    looks = page.locator(".lg-trick .lg-card").evaluate_all(paper)
    press(page, "ArrowRight")  # and all stands still where it began
    sailing = page.locator(".rp-ghost .lg-card")
    assert sailing.evaluate_all(paper) == looks  # in the colours of the board
    boxes = sailing.evaluate_all(f"all => all.map({box})")
    assert all(abs(a - b) <= 2 for one, other in zip(boxes, lay, strict=True) for a, b in zip(one, other, strict=True))


def test_without_motion_the_same_sentence_and_position_appear_at_once(visit: Callable[..., Page]) -> None:
    step = before("take")
    pages = [visit(f"?step={step}", reduced_motion=motion) for motion in ("reduce", "no-preference")]
    for page in pages:
        page.keyboard.press("ArrowRight")
    assert pages[0].evaluate(MOVING) == []
    shown = pages[0].locator(".rp-sentence").inner_text()
    lying = [page.locator(".pk-players").inner_text() for page in pages]
    expect(pages[1].locator(".rp-sentence")).to_have_text(shown)
    assert lying[0] == lying[1]


LANDED_MS = 850  # as in boards/grill/tumble.js


@pytest.mark.parametrize("kind", ["keep", "bust"])
def test_the_roll_is_named_once_the_dice_lie(visit: Callable[..., Page], kind: str) -> None:
    step = before(kind)
    beat = next(one for one in BEATS if one.first == step + 1)
    rolled = FRAMES[beat.first if FRAMES[beat.first].action.startswith("roll ") else beat.first + 1]
    name = ("Fat Crow", "Wise Owl")[beat.seat]
    page = visit()
    sentence, story, seats = page.locator(".rp-sentence"), page.locator(".rp-events button"), page.locator(".rp-seats")
    page.get_by_role("slider", name="Step").fill(str(step))  # nothing further was seen
    expect(story).to_have_count(BEATS.index(beat))
    points = seats.inner_text()
    stop_the_clock(page)
    page.keyboard.press("ArrowRight")
    expect(sentence).to_have_text(re.compile(rf"^{name} (has \d+ and )?rolls( one die| \d dice)? …$"))
    page.clock.run_for(LANDED_MS - 50)
    assert sentence.inner_text().endswith(" …")
    assert (story.count(), seats.inner_text()) == (BEATS.index(beat), points)
    page.clock.run_for(50)
    faces = ", ".join("worm" if face == "W" else face for face in rolled.action.split()[1:])
    expect(sentence).to_contain_text(f"{name} rolls {faces}.")
    expect(story).to_have_count(BEATS.index(beat) + 1)
    expect(story.last).to_contain_text(faces)


def test_the_menu_of_karteneck_is_named_once_it_is_served(visit: Callable[..., Page]) -> None:
    beats = beats_of(GAMES["karteneck"].mark, list(frames(canned("karteneck"))))
    at = next(n for n, beat in enumerate(beats) if beat.kind == "menu")
    page = visit(f"../../boards/karteneck/?step={beats[at - 1].last}")
    stop_the_clock(page)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".rp-sentence")).to_have_text("The menu is served …")
    page.clock.run_for(3000)
    expect(page.locator(".rp-sentence")).to_contain_text("Portions shared out: ")


def test_the_roll_is_named_at_once_without_motion(visit: Callable[..., Page]) -> None:
    page = visit(f"?step={before('keep')}", reduced_motion="reduce")
    stop_the_clock(page)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".rp-sentence")).to_contain_text(re.compile(r"rolls( (\d|worm),?)+\..* keeps the "))


# What is said over the board, and how opaque it is in the middle of its time.
TOAST = """() => {
  const toast = document.querySelector(".rp-toast");
  const [shown] = toast.getAnimations().filter((one) => !(one instanceof CSSTransition)); // of 1 ms with less motion
  if (!shown) return null;
  shown.pause();
  shown.currentTime = shown.effect.getComputedTiming().duration / 2;
  return [toast.textContent, toast.dataset.kind, getComputedStyle(toast).opacity];
}"""


@pytest.mark.parametrize(("kind", "words"), [("bust", "Bust! {0}"), ("steal", "{0} steals {1} from {2}")])
def test_the_whole_table_notices_a_failed_turn_and_a_theft(visit: Callable[..., Page], kind: str, words: str) -> None:
    step = before(kind)
    last = next(frame for frame in FRAMES[step + 1 :] if frame.key == kind).view["last"]
    names = ("Fat Crow", "Wise Owl")
    text = words.format(names[last["seat"]], last["tile"], names[last["from"] or 0])
    page = visit(f"?step={step}")
    page.keyboard.press("ArrowRight")
    handle = page.wait_for_function(TOAST)
    assert handle.json_value() == [text, kind, "1"]
    loses = page.locator(f".pk-player[data-seat='{last['from'] if kind == 'steal' else last['seat']}'] .pk-loss")
    lost = last["tile"] if kind == "steal" else last["returned"]
    expect(loses).to_have_text(f"lost {lost}" if lost else "")
    still = visit(f"?step={step}", reduced_motion="reduce")
    still.keyboard.press("ArrowRight")
    expect(still.locator(".rp-sentence")).to_contain_text(names[last["seat"]])
    assert still.evaluate(TOAST) is None


# How long the last piece waits before it travels, and whether any takes a way over a hill.
TRAVELS = """() => document.getAnimations()
  .filter((one) => one.effect.target.closest("[data-tile]"))
  .map((one) => [one.effect.getTiming().delay, one.effect.getKeyframes().length])"""


def test_a_tile_that_is_lost_waits_until_one_sees_why_and_flies_in_an_arc(visit: Callable[..., Page]) -> None:
    loser = next(frame for frame in FRAMES if frame.key == "bust" and frame.view["last"]["returned"])
    beat = next(one for one in BEATS if one.first <= loser.n <= one.last)
    page = visit(f"?step={beat.first - 1}")
    press(page, "ArrowRight")
    rolls = any(FRAMES[n].action.startswith("roll ") for n in range(beat.first, beat.last + 1))
    assert max(delay for delay, _ in page.evaluate(TRAVELS)) >= 600 + (LANDED_MS if rolls else 0)
    page = visit(f"?step={before('steal')}")
    press(page, "ArrowRight")
    assert max(frames for _, frames in page.evaluate(TRAVELS)) == 3


def test_a_match_plays_when_its_page_is_opened_and_says_nothing_of_what_is_to_come(visit: Callable[..., Page]) -> None:
    page = visit("opening/?tempo=every")
    expect(page.locator(".rp-count")).to_have_text(re.compile(r"^[1-9]\d* /"))
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.locator(".rp-poster")).to_be_hidden()
    assert "step=" not in page.url  # a reload begins again, and the result stays hidden
    assert page.locator("[aria-live=polite]").inner_text().startswith("Step 0:")  # nobody asked for more
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile(r"step=\d+"))


def test_with_reduced_motion_playback_starts_by_hand(visit: Callable[..., Page]) -> None:
    page = visit("opening/", reduced_motion="reduce")
    poster = page.get_by_role("button", name="Watch the game")
    expect(poster).to_be_visible()
    expect(page.locator(".rp-count")).to_have_text(f"0 / {LAST}")
    assert page.evaluate("document.getAnimations().length") == 0
    poster.click()
    expect(page.locator(".rp-count")).to_have_text(re.compile(r"^[1-9]\d* /"))
    expect(poster).to_be_hidden()


@pytest.mark.parametrize("query", ["?step=5", "?game=2&step=0"])
def test_a_link_to_a_step_stays_there(visit: Callable[..., Page], query: str) -> None:
    page = visit(f"opening/{query}")
    page.clock.install()
    page.clock.run_for(5000)
    expect(page.locator(".rp-count")).to_have_text(re.compile(r"^5 /" if "step=5" in query else r"^0 /"))


def test_the_end_shows_the_order_and_the_tie_break_and_leads_on(visit: Callable[..., Page]) -> None:
    page = visit(f"?step={LAST}")
    end = page.get_by_role("region", name="The end of the game")
    places = RECORDS[0].verify().places
    names = ["Fat Crow", "Wise Owl"]
    expect(end.get_by_role("heading")).to_have_text(f"{names[places.index(1)]} wins game 1")
    expect(end.get_by_role("listitem").first).to_contain_text(names[places.index(1)])
    expect(end).to_contain_text("the grill was empty; tie broken")
    end.get_by_role("button", name="Close").click()
    expect(end).to_be_hidden()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("End")
    end.get_by_role("button", name="Next game: same luck, new seats").click()
    expect(page.get_by_label("Game", exact=True)).to_have_value("1")
    expect(end).to_be_hidden()


@pytest.mark.parametrize("stays", [False, True])
def test_the_next_game_follows_by_itself_unless_the_viewer_stays(visit: Callable[..., Page], stays: bool) -> None:
    page = visit(f"?step={BEATS[-2].last}&tempo=every")
    stop_the_clock(page)
    page.keyboard.press("Space")
    page.clock.run_for(6_000)
    expect(page.get_by_role("status").filter(has_text="Next game in")).to_be_visible()
    if stays:
        page.get_by_role("button", name="Stay").click()
    page.clock.run_for(9_000)
    expect(page.get_by_label("Game", exact=True)).to_have_value("0" if stays else "1")
