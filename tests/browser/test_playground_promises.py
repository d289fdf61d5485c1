"""What the playground promises: nothing is sent, no text is lost, NumPy, which browsers lack, is missed in words."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from arena.playground.context import playground_settings
from tests.browser.people import loaded, sign_up
from tests.browser.test_playground import FIRST, play, write

pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(900),
    pytest.mark.skipif(not playground_settings(), reason="no Python for browsers: npm brings it"),
]


@pytest.mark.parametrize("line", ["import numpy as np", "from numpy.random import default_rng"])
def test_missing_numpy_is_reported_at_its_line_with_what_to_do(somebody: Callable[[], Page], line: str) -> None:
    page = somebody()
    page.goto("/playground/")
    expect(page.get_by_text("NumPy isn't available")).to_be_visible()
    write(page, f"import random\n{line}\n{FIRST}")
    play(page)
    fault = page.locator("#pg-fault")
    expect(fault).to_contain_text("in a browser there is none: play this bot at home ('peck play'), or save it")
    expect(fault).not_to_contain_text("standard library, numpy")
    expect(page.locator(".cm-line.marked")).to_contain_text(line)
    expect(fault.get_by_role("button", name="Line 2")).to_be_visible()


OWN = "def act(view):\n    return view['actions'][-1]  # mine"


def starts(page: Page) -> list[str]:
    """Return the author's own drafts under *Start from*."""
    return [text for text in page.locator("#pg-example option").all_inner_texts() if text.startswith("My draft")]


def choose_start(page: Page, title: str) -> None:
    page.select_option("#pg-example", label=title)


def typed(page: Page, text: str) -> None:
    """Type at the end of what is there."""
    page.locator(".cm-content").focus()
    page.keyboard.press("ControlOrMeta+End")
    page.keyboard.type(text)


def test_another_start_takes_nothing_from_the_author(somebody: Callable[[], Page]) -> None:
    page = somebody()
    page.goto("/playground/")
    text = page.locator("#pg-source")
    write(page, OWN)
    choose_start(page, "A bot with a memory")
    example = text.input_value()
    typed(page, "#")
    for _ in range(5):
        if text.input_value() == OWN:
            break
        page.keyboard.press("ControlOrMeta+z")
    expect(text).to_have_value(OWN)
    page.reload()
    expect(text).to_have_value(OWN)
    choose_start(page, "A bot with a memory")
    typed(page, "#")
    page.reload()
    expect(text).to_have_value(f"{example}#")
    expect(page.locator("#pg-example")).to_have_value("0")
    assert len(starts(page)) == 2
    page.select_option("#pg-example", index=1)
    expect(text).to_have_value(OWN)


def test_a_file_that_is_opened_and_a_text_pasted_over_all_take_nothing_either(somebody: Callable[[], Page]) -> None:
    page = somebody()
    page.goto("/playground/")
    text = page.locator("#pg-source")
    write(page, OWN)
    page.set_input_files("#pg-file", {"name": "bot.py", "mimeType": "text/x-python", "buffer": FIRST.encode()})
    expect(text).to_have_value(FIRST)
    page.locator(".cm-content").focus()
    page.keyboard.press("ControlOrMeta+a")
    page.evaluate("navigator.clipboard.writeText('# pasted')")
    page.keyboard.press("ControlOrMeta+v")
    expect(text).to_have_value("# pasted")
    assert len(starts(page)) == 3
    page.keyboard.press("ControlOrMeta+z")
    page.keyboard.press("ControlOrMeta+z")
    expect(text).to_have_value(OWN)
    page.reload()
    for draft in (FIRST, "# pasted"):
        values = []
        for at in range(3):
            page.select_option("#pg-example", index=at)
            values.append(text.input_value())
        assert draft in values


def test_the_last_ten_drafts_of_a_game_are_stored_and_examples_are_not(
    somebody: Callable[[], Page],
) -> None:
    page = somebody()
    page.goto("/playground/")
    play(page)  # the example
    loaded(page)
    page.reload()
    assert starts(page) == []
    for at in range(12):
        write(page, f"# {at}\n{FIRST}")
        typed(page, "# more")  # is the same text
    assert len(starts(page)) == 10
    page.select_option("#pg-game", "laghetti")
    assert starts(page) == []
    page.select_option("#pg-game", "pickomino")
    page.select_option("#pg-example", index=9)
    expect(page.locator("#pg-source")).to_have_value(f"# 2\n{FIRST}# more")
    page.get_by_role("link", name="Save as a bot").click()  # signs in first; what was chosen is what is saved
    expect(page).to_have_url(re.compile("/accounts/login/"))
    assert page.evaluate("JSON.parse(localStorage['pecking-order.playground.save']).text") == f"# 2\n{FIRST}# more"


def test_drafts_survive_leaving_and_signing_up(somebody: Callable[[], Page]) -> None:
    page = somebody()
    page.goto("/playground/")
    expect(page.locator(".page-head")).to_contain_text("You only need an account to save it")
    write(page, OWN)
    page.reload()
    expect(page.locator("#pg-source")).to_have_value(OWN)
    profile = page.context
    page.close()
    page = profile.new_page()
    sign_up(page, "returner")
    page.goto("/playground/")
    expect(page.locator("#pg-source")).to_have_value(OWN)
    head = page.locator(".page-head")
    expect(head).to_contain_text("Your drafts stay here until you save them as a bot")
    expect(head.get_by_role("link", name="My bots")).to_be_visible()
    expect(page.locator("#pg-example option:checked")).to_have_text("My draft")


def test_nothing_is_sent_while_one_writes_and_plays(somebody: Callable[[], Page]) -> None:
    page = somebody()
    requests = []
    page.on("request", lambda request: requests.append((request.method, request.post_data, request.url)))
    page.goto("/playground/")
    write(page, f"# my secret\n{FIRST}")
    play(page)
    loaded(page)
    page.goto("/playground/play/?game=pickomino")
    page.select_option("#pg-seat", "0")
    page.get_by_role("button", name="Start game").click()
    page.locator("#pg-choices button[data-action]").first.click()
    expect(page.locator(".rp-stage")).to_be_visible()
    assert requests
    assert {(method, body) for method, body, _url in requests} == {("GET", None)}
    assert not [url for _method, _body, url in requests if "secret" in url or "take" in url]


SHOWN_AT_LAST = """() => {
  const place = document.querySelector("#pg-loading"), [bar, number] = place.children;
  const note = () => { if (!place.hidden) window.shownAtLast = [bar.hasAttribute("value"), number.textContent]; };
  new MutationObserver(note).observe(place, { subtree: true, childList: true, attributes: true });
}"""


def test_the_page_says_what_it_waits_for_and_how_far_that_is(somebody: Callable[[], Page]) -> None:
    page = somebody()
    held: list[Route] = []
    page.route("**/playground/kit-*.zip", lambda route: held.append(route))
    page.goto("/playground/")
    state, bar = page.locator("#pg-state"), page.get_by_role("progressbar", name="Loading Python")
    expect(state).to_have_text(re.compile(r"^Loading Python: \d+ MB …$"))
    expect(page.locator("#pg-loading")).to_have_text(re.compile(r"^9\d\s?%$"))  # all but the kit
    expect(bar).to_be_visible()
    play(page)
    expect(state).to_have_text(re.compile(r"^Loading Python: \d+ MB …$"))
    page.evaluate(SHOWN_AT_LAST)
    held[0].continue_()
    loaded(page)
    expect(bar).to_be_hidden()
    assert page.evaluate("shownAtLast") == [False, ""]  # while Python started
    page.unroute_all()
    page.reload()  # from the memory that the browser kept
    expect(state).to_have_text("Python is ready.")
