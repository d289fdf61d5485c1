"""The replay player in a real Chromium, with a canned match of two games."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from games.frames import frames
from tests.matches.replay.stage import RECORDS, stage

pytestmark = pytest.mark.browser

FRAMES = list(frames(RECORDS[0]))
LAST = len(FRAMES) - 1
KEYS = [frame.n for frame in FRAMES if frame.key]


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Page]]:
    """``visit("?step=9", width=390)``; whatever the browser complains about fails the test."""
    complaints: list[str] = []
    contexts = []

    def come(address: str = "", *, path: str = "/matches/7/", width: int = 1280, **options: Any) -> Page:
        context = browser.new_context(viewport={"width": width, "height": 844}, base_url=url, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        page.goto(path + address)
        if path == "/matches/7/":
            expect(page.locator(".rp-count")).to_have_text(re.compile(r"/ [1-9]"))
        return page

    with stage() as url:
        yield come
        for context in contexts:
            context.close()
    assert [text for text in complaints if "favicon" not in text and "404" not in text] == []


def step_is(page: Page, step: int, last: int = LAST) -> None:
    expect(page.locator(".rp-count")).to_have_text(f"{step} / {last}")


def test_keys_step_by_action_by_turn_and_by_event(visit: Callable[..., Page]) -> None:
    page = visit()
    step_is(page, 0)
    for key, step in [
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("e", KEYS[0]),
        ("e", KEYS[1]),
        ("q", KEYS[0]),
        ("End", LAST),
        ("e", LAST),
        ("Home", 0),
        ("ArrowLeft", 0),
        ("Shift+ArrowRight", next(frame.n for frame in FRAMES if frame.turn != FRAMES[0].turn)),
        ("Shift+ArrowLeft", 0),
    ]:
        page.keyboard.press(key)
        step_is(page, step)


def test_the_board_shows_the_position_of_the_step(visit: Callable[..., Page]) -> None:
    for frame in (FRAMES[0], FRAMES[KEYS[4] - 2], FRAMES[LAST]):
        page = visit(f"?step={frame.n}")
        step_is(page, frame.n)
        faces = page.eval_on_selector_all(
            ".pk-place[data-state=up] .tile", "tiles => tiles.map(tile => Number(tile.dataset.tile))"
        )
        assert faces == frame.view["grill"]
        assert page.locator(".pk-place[data-state=down]").count() == len(frame.view["facedown"])
        stacks = [
            place.locator(".tile").evaluate_all("tiles => tiles.map(tile => Number(tile.dataset.tile))")
            for place in page.locator(".pk-player").all()
        ]
        assert stacks == frame.view["stacks"]
        if not frame.key:
            assert page.locator(".pk-rolled .die.rolled").count() == len(frame.view["rolled"])
            assert page.locator(".pk-kept .die").count() == sum(frame.view["aside"].values())
            expect(page.locator(".pk-sum")).to_have_text(str(frame.view["sum"]))


def test_it_plays_at_the_chosen_speed_and_stops_at_the_end(visit: Callable[..., Page]) -> None:
    page = visit(f"?step={LAST - 6}&speed=16")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    step_is(page, LAST)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    page.keyboard.press("[")
    expect(page.get_by_label("Speed")).to_have_value("8")


def test_the_slider_scrubs(visit: Callable[..., Page]) -> None:
    page = visit()
    page.get_by_role("slider", name="Step").fill("25")
    step_is(page, 25)


def test_the_address_leads_back_to_the_very_step(visit: Callable[..., Page]) -> None:
    page = visit("?keep=me")
    page.keyboard.press("e")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("2")
    expect(page).to_have_url(re.compile(rf"\?keep=me&game=1&step={KEYS[0] + 1}&pov=2$"))
    sentence = page.locator(".rp-sentence").inner_text()
    friend = visit(page.url.partition("/matches/7/")[2])
    step_is(friend, KEYS[0] + 1)
    expect(friend.locator(".rp-sentence")).to_have_text(sentence)
    expect(friend.locator("[data-pov] .bd-name")).to_have_text("Wise Owl")


def test_c_copies_a_link_to_the_step(visit: Callable[..., Page]) -> None:
    page = visit("?step=9", permissions=["clipboard-read", "clipboard-write"])
    page.keyboard.press("c")
    expect(page.locator(".rp-copied")).to_have_text("Link copied")
    assert page.evaluate("navigator.clipboard.readText()").endswith("/matches/7/?game=1&step=9")


@pytest.mark.parametrize("address", ["?step=-1", "?step=99999999999", "?game=0&step=x", "?game=9", "?pov=9&speed=3"])
def test_an_address_that_makes_no_sense_starts_at_the_beginning(visit: Callable[..., Page], address: str) -> None:
    step_is(visit(address), 0)


def test_a_step_beyond_the_end_is_the_end(visit: Callable[..., Page]) -> None:
    step_is(visit("?step=99999"), LAST)


def test_autoplay_plays(visit: Callable[..., Page]) -> None:
    page = visit("?autoplay=1&speed=16")
    expect(page.locator(".rp-count")).to_have_text(re.compile(r"^[1-9]\d* /"))


def test_keys_are_left_to_whoever_types(visit: Callable[..., Page]) -> None:
    page = visit("?step=5")
    page.locator("#note").click()
    page.keyboard.type("keq0")
    assert page.locator("#note").input_value() == "keq0"
    step_is(page, 5)


def test_the_help_lists_the_keys(visit: Callable[..., Page]) -> None:
    page = visit()
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("copy a link to this step")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def test_events_and_links_of_the_page_lead_to_their_place(visit: Callable[..., Page]) -> None:
    page = visit()
    page.locator(f".rp-events button[data-step='{KEYS[2]}']").click()
    step_is(page, KEYS[2])
    page.get_by_role("link", name="Watch game 2").click()
    expect(page.get_by_label("Game", exact=True)).to_have_value("1")
    expect(page.locator(".pk-player .bd-name").first).to_have_text("Wise Owl")  # everyone has moved on by one place


def test_a_stand_in_is_said_to_play(visit: Callable[..., Page]) -> None:
    frame = next(frame for frame in FRAMES if frame.cause)
    expect(visit(f"?step={frame.n}").locator(".rp-sentence")).to_contain_text("A stand-in plays")


def test_each_step_by_hand_is_spoken(visit: Callable[..., Page]) -> None:
    page = visit()
    page.keyboard.press("ArrowRight")
    spoken = page.locator("[aria-live=polite]")
    expect(spoken).to_have_text(re.compile(r"^Step 1: .* rolls .*\.$"))


def test_whoever_has_scrubbed_goes_on_with_the_keys(visit: Callable[..., Page]) -> None:
    page = visit()
    page.get_by_role("slider", name="Step").click()
    page.keyboard.press("Home")
    page.keyboard.press("e")
    step_is(page, KEYS[0])
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()


def test_the_list_of_events_is_one_stop_on_the_way_through_the_page(visit: Callable[..., Page]) -> None:
    page = visit(f"?step={KEYS[1]}")
    page.get_by_role("button", name="Keys").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    step_is(page, KEYS[2])
    page.keyboard.press("Tab")
    expect(page.locator("#note")).to_be_focused()


def test_the_address_names_no_step_before_one_is_chosen(visit: Callable[..., Page]) -> None:
    page = visit()
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(r"\?game=1&step=1$"))
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile(r"/matches/7/$"))


@pytest.mark.parametrize("step", [KEYS[0], LAST])
def test_the_longest_names_fit_a_phone(visit: Callable[..., Page], step: int) -> None:
    page = visit(f"?step={step}", path="/matches/7/long/", width=390)
    step_is(page, step)
    assert page.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.parametrize("step", [0, KEYS[3], LAST])
def test_it_fits_a_phone(visit: Callable[..., Page], step: int) -> None:
    page = visit(f"?step={step}", width=390)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    for button in page.locator(".rp-buttons button").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 40


def test_nothing_moves_for_those_who_want_no_motion(visit: Callable[..., Page]) -> None:
    page = visit("?step=3", reduced_motion="reduce")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.getAnimations().filter(a => a.effect.getComputedTiming().duration > 1).length") == 0


def test_a_frame_tells_the_page_around_it_of_each_step(visit: Callable[..., Page]) -> None:
    page = visit(path="/around/")
    page.evaluate("window.heard = []; window.addEventListener('message', (event) => window.heard.push(event.data))")
    frame = page.frame_locator("iframe")
    expect(frame.locator(".rp-count")).to_have_text(f"0 / {LAST}")
    frame.get_by_role("button", name="Step on").click()
    page.wait_for_function("window.heard.some((said) => said.step === 1)")
    said = page.evaluate("window.heard.find((said) => said.step === 1)")
    assert (said["type"], said["match"], said["game"]) == ("pecking-order:step", 7, 1)


def test_a_cut_line_is_taken_up_again_with_the_ticket_until_the_server_refuses_it(visit: Callable[..., Page]) -> None:
    page = visit(path="/around/")
    calls: list[str] = []

    def answer(socket: WebSocketRoute) -> None:
        calls.append(socket.url.partition("?")[2])
        socket.close(code=1013 if len(calls) == 1 else 4403)

    page.route_web_socket("**/ws/matches/7/*", answer)
    page.goto("/matches/7/live/")
    expect(page.locator(".rp-lost")).to_contain_text("Reload it")
    page.wait_for_timeout(2000)  # longer than the pause before another attempt
    assert calls == ["ticket=7.authors%3Asigned"] * 2
