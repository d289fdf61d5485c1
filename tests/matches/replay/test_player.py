"""The replay player in a real Chromium, with a canned match of two games."""

import re
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from games.beats import Tempo, Weight, beat_durations, beats_of
from games.catalogue import GAMES
from games.frames import frames
from tests.browser.chromium import WAIT_MS
from tests.matches.replay.player_server import RECORDS, stage

pytestmark = pytest.mark.browser

FRAMES = list(frames(RECORDS[0]))
LAST = len(FRAMES) - 1
BEATS = beats_of(GAMES["pickomino"].mark, FRAMES)
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
        page.set_default_timeout(WAIT_MS)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
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


def test_keys_step_by_move_by_frame_by_turn_and_by_event(visit: Callable[..., Page]) -> None:
    page = visit()
    step_is(page, 0)
    for key, step in [
        ("ArrowRight", BEATS[1].last),
        ("ArrowRight", BEATS[2].last),
        (",", BEATS[2].last - 1),
        ("ArrowRight", BEATS[2].last),
        (".", BEATS[2].last + 1),
        ("ArrowLeft", BEATS[2].last),
        ("ArrowLeft", BEATS[1].last),
        ("ArrowLeft", 0),
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
    page = visit(f"?step={BEATS[-2].last}&tempo=highlights")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    step_is(page, LAST)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


@pytest.mark.parametrize("keys", ["[]", "-+"])
def test_the_tempo_is_chosen_by_keys_and_remembered(visit: Callable[..., Page], keys: str) -> None:
    page = visit()
    tempo = page.get_by_label("Tempo")
    expect(tempo).to_have_value("story")
    page.keyboard.press(keys[1])
    expect(tempo).to_have_value("every")
    page.keyboard.press(keys[0])
    page.keyboard.press(keys[0])
    expect(tempo).to_have_value("highlights")
    page.reload()
    expect(page.get_by_label("Tempo")).to_have_value("highlights")


def test_after_a_choice_with_the_mouse_the_arrows_step(visit: Callable[..., Page]) -> None:
    page = visit()
    page.get_by_label("Tempo").select_option("every")
    page.keyboard.press("ArrowRight")
    step_is(page, BEATS[1].last)
    expect(page.get_by_label("Tempo")).to_have_value("every")


@pytest.mark.parametrize("tempo", Tempo)
def test_the_player_times_moves_as_the_server_does(visit: Callable[..., Page], tempo: Tempo) -> None:
    beats = [{"ms": beat.ms, "weight": beat.weight} for beat in BEATS]
    page = visit()
    script = "async ([beats, tempo]) => (await import('/static/matches/replay/tempo.js')).dwells(beats, tempo)"
    assert page.evaluate(script, [beats, tempo.value]) == list(beat_durations(BEATS, tempo))


def test_nothing_beyond_where_the_viewer_got_is_on_the_page(visit: Callable[..., Page]) -> None:
    page = visit()
    for beat in BEATS[1:4]:
        page.keyboard.press("ArrowRight")
        step_is(page, beat.last)
    rows = [beat for beat in BEATS if beat.last <= BEATS[3].last]
    marks = [beat for beat in rows if beat.weight >= Weight.KEY]
    expect(page.locator(".rp-events button")).to_have_count(len(rows))
    expect(page.locator(".rp-tick")).to_have_count(len(marks))
    page.keyboard.press("Home")
    expect(page.locator(".rp-events button")).to_have_count(len(rows))  # it was seen
    page.get_by_role("tab", name="Match").click()
    page.get_by_role("button", name="Show the whole game").click()
    expect(page.locator(".rp-tick")).to_have_count(sum(beat.weight >= Weight.KEY for beat in BEATS))


def test_a_link_to_one_step_opens_the_whole_game(visit: Callable[..., Page]) -> None:
    expect(visit("?step=5").locator(".rp-events button")).to_have_count(len(BEATS))


def test_letters_are_keys_only_while_the_player_or_nothing_has_the_focus(visit: Callable[..., Page]) -> None:
    page = visit("?step=5")
    page.get_by_role("link", name="Watch game 2").focus()
    page.keyboard.press(".")
    step_is(page, 5)
    page.get_by_role("tab", name="Graph").focus()
    page.keyboard.press(".")
    step_is(page, 6)
    page.keyboard.press("?")
    page.get_by_label("Enable single-key shortcuts").uncheck()
    page.keyboard.press("Escape")
    page.get_by_role("tabpanel").focus()
    page.keyboard.press(".")
    step_is(page, 6)
    page.keyboard.press("ArrowRight")
    step_is(page, next(beat.last for beat in BEATS if beat.last > 6))


def test_the_graph_is_moved_by_the_keyboard(visit: Callable[..., Page]) -> None:
    page = visit()
    page.get_by_role("tab", name="Graph").click()
    graph = page.get_by_role("slider", name="Worms")
    graph.focus()
    page.keyboard.press("End")
    step_is(page, LAST)
    points = ", ".join(
        f"{name} {worms}" for name, worms in zip(("Fat Crow", "Wise Owl"), FRAMES[-1].view["worms"], strict=True)
    )
    expect(graph).to_have_attribute("aria-valuetext", f"{LAST}: {points}")


def test_the_slider_scrubs(visit: Callable[..., Page]) -> None:
    page = visit()
    page.get_by_role("slider", name="Step").fill("25")
    step_is(page, 25)


def test_the_address_leads_back_to_the_very_step(visit: Callable[..., Page]) -> None:
    page = visit("?keep=me")
    page.keyboard.press("e")
    page.keyboard.press(".")
    page.keyboard.press("2")
    expect(page).to_have_url(re.compile(rf"\?keep=me&game=1&step={KEYS[0] + 1}&pov=2$"))
    expect(page.locator(".rp-sentence")).not_to_have_text(re.compile("…$"))  # the dice lie
    sentence = page.locator(".rp-sentence").inner_text()
    friend = visit(page.url.partition("/matches/7/")[2])
    step_is(friend, KEYS[0] + 1)
    expect(friend.locator(".rp-sentence")).to_have_text(sentence)
    expect(friend.locator("[data-pov] .bd-name")).to_have_text("Wise Owl")


def test_a_reload_leads_back_to_the_step_and_knows_what_was_seen(visit: Callable[..., Page]) -> None:
    page = visit()
    page.keyboard.press("e")
    step_is(page, KEYS[0])
    expect(page).to_have_url(re.compile(rf"step={KEYS[0]}$"))
    seen = sum(beat.last <= KEYS[0] for beat in BEATS)
    page.reload()
    step_is(page, KEYS[0])
    expect(page.locator(".rp-events button")).to_have_count(seen)
    page.keyboard.press("Home")
    expect(page).to_have_url(re.compile(r"/matches/7/$"))
    page.reload()
    step_is(page, 0)
    expect(page.locator(".rp-events button")).to_have_count(seen)


def test_c_copies_a_link_to_the_step(visit: Callable[..., Page]) -> None:
    page = visit("?step=9", permissions=["clipboard-read", "clipboard-write"])
    page.keyboard.press("c")
    expect(page.locator(".rp-copied")).to_have_text("Link copied")
    assert page.evaluate("navigator.clipboard.readText()").endswith("/matches/7/?game=1&step=9")


@pytest.mark.parametrize("address", ["?step=-1", "?step=99999999999", "?game=0&step=x", "?game=9", "?pov=9&tempo=3"])
def test_an_address_that_makes_no_sense_starts_at_the_beginning(visit: Callable[..., Page], address: str) -> None:
    step_is(visit(address), 0)


def test_a_step_beyond_the_end_is_the_end(visit: Callable[..., Page]) -> None:
    step_is(visit("?step=99999"), LAST)


def test_autoplay_plays(visit: Callable[..., Page]) -> None:
    page = visit("?autoplay=1&tempo=highlights")
    expect(page.locator(".rp-count")).to_have_text(re.compile(r"^[1-9]\d* /"))


def test_keys_do_nothing_while_a_field_has_the_focus(visit: Callable[..., Page]) -> None:
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
    page = visit("?step=0")
    page.locator(f".rp-events button[data-step='{KEYS[2]}']").click()
    step_is(page, KEYS[2])
    page.get_by_role("link", name="Watch game 2").click()
    expect(page.get_by_label("Game", exact=True)).to_have_value("1")
    expect(page.locator(".pk-player .bd-name").first).to_have_text("Wise Owl")  # everyone has moved on by one place


def test_a_stand_in_is_named(visit: Callable[..., Page]) -> None:
    frame = next(frame for frame in FRAMES if frame.cause)
    expect(visit(f"?step={frame.n}").locator(".rp-sentence")).to_contain_text("a house bot takes over")


def test_each_step_by_hand_is_spoken(visit: Callable[..., Page]) -> None:
    page = visit()
    page.keyboard.press(".")
    spoken = page.locator("[aria-live=polite]")
    expect(spoken).to_have_text(re.compile(r"^Step 1: .* rolls .*\.$"))


def test_every_key_event_is_spoken_while_it_plays(visit: Callable[..., Page]) -> None:
    page = visit(f"?step={KEYS[-2] - 1}&tempo=highlights")
    page.evaluate("""() => {
      window.announcements = [];
      const spoken = document.querySelector("[aria-live=polite]");
      new MutationObserver(() => window.announcements.push(spoken.textContent)).observe(spoken, { childList: true });
    }""")
    page.keyboard.press("Space")
    expect(page.locator(".rp-count")).to_have_text(f"{LAST} / {LAST}")
    for step in KEYS[-2:]:
        page.wait_for_function(
            "(start) => window.announcements.some((text) => text.startsWith(start))", arg=f"Step {step}:"
        )


def test_keys_work_after_scrubbing(visit: Callable[..., Page]) -> None:
    page = visit()
    page.get_by_role("slider", name="Step").click()
    page.keyboard.press("Home")
    page.keyboard.press("e")
    step_is(page, KEYS[0])
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()


def test_the_list_of_events_is_one_stop_on_the_way_through_the_page(visit: Callable[..., Page]) -> None:
    page = visit(f"?step={BEATS[4].last}")
    page.get_by_role("tabpanel").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    step_is(page, BEATS[5].last)
    page.keyboard.press("Tab")
    expect(page.locator("#note")).to_be_focused()


def test_the_address_names_no_step_before_one_is_chosen(visit: Callable[..., Page]) -> None:
    page = visit()
    page.keyboard.press(".")
    expect(page).to_have_url(re.compile(r"\?game=1&step=1$"))
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile(r"/matches/7/$"))


@pytest.mark.parametrize("width", [900, 960, 1100, 1280])
def test_no_button_is_over_another(visit: Callable[..., Page], width: int) -> None:
    page = visit(width=width)
    shown = [one for one in page.locator(".rp-controls :is(button, select)").all() if one.is_visible()]
    boxes = [box for one in shown if (box := one.bounding_box())]
    assert len(boxes) >= 9
    for one, other in combinations(boxes, 2):
        beside = one["x"] + one["width"] <= other["x"] + 1 or other["x"] + other["width"] <= one["x"] + 1
        below = one["y"] + one["height"] <= other["y"] + 1 or other["y"] + other["height"] <= one["y"] + 1
        assert beside or below
    assert max(box["x"] + box["width"] for box in boxes) <= width
    assert min(box["width"] for box in boxes) >= 40


def test_nothing_moves_for_those_who_want_no_motion(visit: Callable[..., Page]) -> None:
    page = visit("?step=3", reduced_motion="reduce")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.getAnimations().filter(a => a.effect.getComputedTiming().duration > 1).length") == 0


def test_a_frame_posts_each_step_to_the_page_around_it(visit: Callable[..., Page]) -> None:
    page = visit(path="/around/")
    page.evaluate(
        "window.messages = []; window.addEventListener('message', (event) => window.messages.push(event.data))"
    )
    frame = page.frame_locator("iframe")
    expect(frame.locator(".rp-count")).to_have_text(f"0 / {LAST}")
    frame.get_by_role("button", name="Next move").click()
    page.wait_for_function(f"() => window.messages.some((message) => message.step === {BEATS[1].last})")
    message = page.evaluate(f"window.messages.find((message) => message.step === {BEATS[1].last})")
    assert (message["type"], message["match"], message["game"]) == ("pecking-order:step", 7, 1)


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
