"""The playground's pages: an author's way from the first line to a bot."""

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

from arena.playground.context import playground_settings
from tests.browser.people import fill_sign_up, loaded
from tests.browser.test_axe import FOUND, STILL
from tests.peck.test_bundles import STATEFUL, failed

pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(900),
    pytest.mark.skipif(not playground_settings(), reason="no Python for browsers: npm brings it"),
]
FIRST = "def act(view):\n    return view['actions'][0]\n"


def write(page: Page, source: str) -> None:
    page.locator(".cm-content").wait_for()  # what was typed before it came cannot be undone
    page.fill("#pg-source", source)


def play(page: Page) -> None:
    page.get_by_role("button", name="Play a game").click()


@pytest.mark.postgres
def test_an_author_writes_runs_watches_mends_and_saves_a_bot(somebody: Callable[[], Page]) -> None:
    page = somebody()
    began = time.monotonic()
    page.goto("/playground/")
    play(page)
    loaded(page)
    cold = time.monotonic() - began
    began = time.monotonic()
    page.reload()
    play(page)
    loaded(page)
    print(f"first game after {cold:.1f} s, in a browser that has been here after {time.monotonic() - began:.1f} s")

    # An error is told at its line, and the game shows where a house bot took over.
    write(page, "def act(view):\n    print('I see', len(view['actions']))\n    return view['nothing']\n")
    play(page)
    fault = page.locator("#pg-fault")
    expect(fault).to_contain_text("KeyError: 'nothing'")
    expect(fault).to_contain_text("I see")
    expect(page.locator(".cm-line.marked")).to_contain_text("    return view['nothing']")
    expect(page.locator(".rp-sentence")).to_contain_text("a house bot takes over")
    fault.get_by_role("button", name="Line 3").click()
    expect(page.locator("code-editor .cm-content")).to_be_focused()

    # What hangs is ended, and the page goes on.
    write(page, "def act(view):\n    while True: pass\n")
    play(page)
    expect(fault).to_contain_text("gave no answer within 5 seconds")

    # A series, with another opponent, of another game.
    page.select_option("#pg-game", "laghetti")
    write(page, FIRST)
    page.fill("#pg-blocks", "2")
    page.get_by_role("button", name="Play a series").click()
    expect(page.locator("#pg-state")).to_have_text("6 games played.")
    expect(page.locator("#pg-told tbody tr")).to_have_count(3)
    expect(page.locator("#pg-fault")).to_be_empty()
    page.select_option(".rp-games", "4")
    loaded(page)

    # Saved without an account: the text outlives the sign-up, and becomes a bot by the site's own upload.
    page.get_by_role("link", name="Save as a bot").click()
    expect(page).to_have_url(re.compile("/accounts/login/"))
    page.get_by_role("link", name="Create an account").click()
    fill_sign_up(page, "playwright")
    expect(page).to_have_url(re.compile("/playground/save/"))
    expect(page.locator("#save-forms")).to_contain_text("In cammino tra i laghetti")
    page.fill("#save-name", "Written Here")
    page.get_by_role("button", name="Create and check it").click()
    expect(page).to_have_url(re.compile("/bots/written-here/"))
    expect(page.locator("#verdict [data-state=accepted]")).to_be_visible(timeout=90_000)
    page.goto("/playground/")
    write(page, FIRST + "# better\n")

    # What was saved is an opponent: the list of versions is there once one looks at the seats.
    page.locator("#pg-seat-1").focus()
    page.select_option("#pg-seat-1", label="Written Here v1")
    play(page)
    loaded(page)
    expect(fault).to_be_empty()
    expect(page.locator("match-replay").get_by_text("Written Here v1").first).to_be_attached()
    page.get_by_role("link", name="Save as a bot").click()
    page.get_by_role("button", name="Upload and check it").click()
    expect(page).to_have_url(re.compile("/bots/written-here/versions/2/"))

    # A version that was opened from the site goes back to its own bot, though another comes first in the list.
    page.goto("/playground/save/")
    page.fill("#save-name", "Another One")
    page.get_by_role("button", name="Create and check it").click()
    expect(page).to_have_url(re.compile("/bots/another-one/"))
    page.goto("/playground/?game=laghetti&version=/bots/written-here/versions/1/source/")
    expect(page.get_by_text("This version is in the editor.")).to_be_visible(timeout=60_000)
    write(page, FIRST + "# once more\n")
    page.get_by_role("link", name="Save as a bot").click()
    expect(page.locator("#save-bot option:checked")).to_have_text("Written Here")
    expect(page.locator("#save-forms .primary")).to_have_text("Upload and check it")
    page.get_by_label("What changed").fill("once more")
    page.get_by_role("button", name="Upload and check it").click()
    expect(page).to_have_url(re.compile("/bots/written-here/versions/3/"))
    expect(page.get_by_text("once more")).to_be_visible()


@pytest.mark.postgres
def test_form_input_survives_a_syntax_error(somebody: Callable[[], Page]) -> None:
    page = somebody()
    page.goto("/playground/")
    write(page, "def act(view:\n")
    page.get_by_role("link", name="Save as a bot").click()
    page.get_by_role("link", name="Create an account").click()
    fill_sign_up(page, "typist")
    page.fill("#save-name", "Typed & kept")
    page.get_by_role("button", name="Create and check it").click()
    page.get_by_role("link", name="Correct it there").click()
    write(page, FIRST)
    page.get_by_role("link", name="Save as a bot").click()
    expect(page.locator("#save-name")).to_have_value("Typed & kept")
    page.get_by_role("button", name="Create and check it").click()
    expect(page).to_have_url(re.compile("/bots/typed-kept/"))
    page.goto("/playground/save/")
    expect(page.locator("#save-name")).to_have_value("")


FAILURES = {
    "raise RuntimeError('thirty')": ("crashed", "RuntimeError: thirty"),
    "while True: pass": ("used too much processor time", "It gave no answer within 5 seconds"),
}


@pytest.mark.parametrize("fails", FAILURES)
@pytest.mark.postgres
def test_a_failure_of_the_site_happens_again_from_its_file_and_by_its_link(
    somebody: Callable[[], Page], fails: str, tmp_path: Path
) -> None:
    source = STATEFUL.format(fails=fails)
    bundle = failed(source, tmp_path)
    verdict, words = FAILURES[fails]
    page = somebody()
    address = re.compile(r"^[^?]*/bots/mine/failures/7/0/$")
    page.route(address, lambda route: route.fulfill(path=bundle, content_type="application/zip"))
    page.goto("/playground/?failure=/bots/mine/failures/7/0/")
    failure = page.locator("#pg-failure")
    for _ in range(2):
        expect(failure).to_contain_text(re.compile(rf"match 7, game \d, seat [A-G], on the site: {verdict}"))
        write(page, source)
        failure.get_by_role("button", name="Play up to the fault").click()
        expect(failure).to_contain_text("it happens again, decision 31")
        expect(failure).to_contain_text(words)
        page.reload()
        page.goto("/playground/")
        page.set_input_files("#pg-file", bundle)
    write(page, STATEFUL.format(fails="pass"))
    expect(failure).to_contain_text("on the site")
    failure.get_by_role("button", name="Play up to the fault").click()
    expect(failure).to_contain_text("it does not happen again: the bot answers")


def test_an_edited_bot_is_played_from_the_version_that_failed(somebody: Callable[[], Page], tmp_path: Path) -> None:
    source = STATEFUL.format(fails="1 / 0")
    bundle = failed(source, tmp_path)
    page = somebody()
    page.goto("/playground/")
    write(page, FIRST)
    page.route(re.compile(r"^[^?]*/failures/7/0/$"), lambda route: route.fulfill(path=bundle))
    page.route(re.compile(r"^[^?]*/versions/3/source/$"), lambda route: route.fulfill(body=source))
    page.goto("/playground/?failure=/bots/mine/failures/7/0/&version=/bots/mine/versions/3/source/")
    failure, text = page.locator("#pg-failure"), page.locator("#pg-source")
    expect(failure).to_contain_text("The version that played is in the editor")
    expect(text).to_have_value(source)
    expect(failure.get_by_text("The view that it failed on")).to_be_visible()
    play = failure.get_by_role("button", name="Play up to the fault")
    play.click()
    expect(failure).to_contain_text("it happens again, decision 31")
    expect(failure).not_to_contain_text("on the site it answered")
    write(page, source.replace("[-1]", "[0]"))
    page.get_by_role("button", name="Play a game").click()
    expect(failure).to_contain_text("Your code has changed since then.")
    expect(failure).not_to_contain_text("it happens again")
    play.click()
    expect(failure).to_contain_text("then it was asked as on the site")
    expect(failure).to_contain_text("it happens again, decision 31")
    page.select_option("#pg-example", index=2)  # after the edited text and the version that failed
    expect(text).to_have_value(FIRST)
    page.unroute_all()  # nobody is signed in: the site answers with its page for that
    page.route(re.compile(r"^[^?]*/failures/7/0/$"), lambda route: route.fulfill(path=bundle))
    page.reload()
    expect(failure).to_contain_text("The version that played could not be loaded")
    expect(text).to_have_value(FIRST)


def test_the_replay_has_actions_views_and_output_of_the_bot_beside_its_chance(somebody: Callable[[], Page]) -> None:
    page = somebody()
    page.goto("/playground/")
    answer = '{"action": view["actions"][0], "note": "the first", "marks": ["seat 0"], "value": 0.25}'
    write(page, f"def act(view):\n    print('turn', view['turn'])\n    return {answer}\n")
    play(page)
    loaded(page)
    page.get_by_role("tab", name="View").click()
    saw = page.get_by_role("tabpanel", name="View")
    saw.get_by_role("button", name="Next").click()
    expect(saw).to_contain_text(re.compile(r"Decision \d+ of \d+"))
    expect(saw).to_contain_text(re.compile(r"[\d.]+ ms in this browser"))
    expect(saw).to_contain_text(re.compile(r"turn \d+"))
    expect(saw).to_contain_text('"actions": [')
    expect(page.locator(".nt-note")).to_contain_text(re.compile(r"the first.*It believed 25\s%, it had \d+\s%"))
    expect(page.locator(".bd-place[data-noted]")).to_have_count(1)


def test_the_tab_of_the_match_names_the_game(somebody: Callable[[], Page]) -> None:
    page = somebody()
    page.goto("/playground/")
    page.locator("#pg-run").click()
    page.get_by_role("tab", name="Match").click()
    expect(page.locator("match-replay .rp-facts")).to_contain_text("Pickomino")
    expect(page.locator("match-replay .rp-facts dt")).not_to_have_count(0)


def test_the_text_is_indented_by_key_and_the_field_can_be_left(somebody: Callable[[], Page]) -> None:
    page = somebody()
    page.goto("/playground/")
    text, field = page.locator("#pg-source"), page.locator(".cm-content")
    field.fill("")
    field.press_sequentially("def act(view):")
    field.press("Enter")
    field.press_sequentially("return 1")
    expect(text).to_have_value("def act(view):\n    return 1")
    field.press("Shift+Tab")
    expect(text).to_have_value("def act(view):\nreturn 1")
    field.press("Tab")
    field.press("ControlOrMeta+z")
    expect(text).to_have_value("def act(view):\nreturn 1")
    field.press("Escape")
    field.press("Tab")
    expect(field).not_to_be_focused()


def test_without_the_editor_of_npm_the_field_is_a_plain_one(somebody: Callable[[], Page]) -> None:
    page = somebody()
    page.route("**/editor-*.mjs", lambda route: route.fulfill(body="", content_type="text/javascript"))
    page.goto("/playground/")
    expect(page.locator("#pg-meaning")).to_contain_text("You can write in this plain field.")
    text = page.locator("#pg-source")
    text.fill("")
    text.press_sequentially("def act(view):")
    text.press("Enter")
    text.press_sequentially("return 1")
    expect(text).to_have_value("def act(view):\n    return 1")
    text.press("Shift+Tab")
    expect(text).to_have_value("def act(view):\nreturn 1")
    text.press("Escape")
    text.press("Tab")
    expect(text).not_to_be_focused()


@pytest.mark.parametrize("path", ["/playground/", "/playground/play/"])
def test_axe_finds_nothing(somebody: Callable[[], Page], path: str) -> None:
    page = somebody()
    page.add_init_script(AXE_SCRIPT)
    page.add_init_script(STILL)
    page.goto(path)
    page.locator("main .primary").first.click()
    loaded(page)
    for width, scheme in ((390, "dark"), (1280, "light")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
        assert page.evaluate(FOUND) == []
        assert page.evaluate("document.documentElement.scrollWidth") == width


def test_an_address_names_the_game(somebody: Callable[[], Page]) -> None:
    page = somebody()
    page.goto("/playground/?game=laghetti")
    expect(page.locator("#pg-game")).to_have_value("laghetti")
    page.goto("/playground/?game=nothing")
    expect(page.locator("#pg-game")).to_have_value("laghetti")  # the one before
