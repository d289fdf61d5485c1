"""The editor of the playground: completion, printed output at its line, files in tabs, and stored drafts."""

import base64
import io
import re
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import pytest
from playwright.sync_api import Page, Route, expect

from arena.playground.context import playground_settings
from tests.browser.people import loaded
from tests.browser.test_playground import FIRST, play, write

pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(900),
    pytest.mark.skipif(not playground_settings(), reason="no Python for browsers: npm brings it"),
]
USES = "import helper\n\ndef act(view):\n    print('turn', view['turn'])\n    return helper.best(view)\n"
HELPER = "def best(view):\n    return view['actions'][-1]\n"
TABLE = b"\xff\xfe\x00"


def opened(page: Page) -> Page:
    page.goto("/playground/")
    page.locator(".cm-content").wait_for()
    expect(page.locator("#pg-state")).to_have_text("Python is ready.")
    return page


def tabs(page: Page) -> list[str]:
    return page.get_by_role("tablist", name="Files").get_by_role("tab").all_inner_texts()


def test_keys_and_actions_are_offered_and_explained(somebody: Callable[[], Page]) -> None:
    page = somebody()
    with page.expect_response(re.compile(r"/playground/terms-pickomino\.json$")) as terms:
        opened(page)
    terms.value.finished()
    field, meaning, offer = page.locator(".cm-content"), page.locator("#pg-meaning"), page.locator(".cm-tooltip")
    field.fill("")
    field.press_sequentially('def act(view): x = view["last"]["tot')
    expect(offer.get_by_text("what the dice set aside were worth")).to_be_visible()
    offer.get_by_text("total").click()
    expect(page.locator("#pg-source")).to_have_value('def act(view): x = view["last"]["total')
    page.keyboard.type('"]; return "sto')
    expect(offer.get_by_text("end the turn with what is set aside")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.type('p"')
    page.keyboard.press("ArrowLeft")
    expect(meaning).to_have_text("stop: end the turn with what is set aside")
    field.get_by_text("last").hover()
    expect(page.locator(".cm-meaning")).to_contain_text("how the turn before ended")
    page.keyboard.press("Home")
    expect(meaning).to_be_empty()


def test_a_zip_is_edited_played_stored_and_saved_with_all_its_files(
    somebody: Callable[[], Page], tmp_path: Path
) -> None:
    page = opened(somebody())
    write(page, FIRST)
    packed = io.BytesIO()
    with ZipFile(packed, "w") as archive:
        for name, content in (("bot.py", USES.encode()), ("helper.py", HELPER.encode()), ("table.bin", TABLE)):
            archive.writestr(f"folder/{name}", content)
    page.set_input_files("#pg-file", {"name": "b.zip", "mimeType": "application/zip", "buffer": packed.getvalue()})
    expect(page.locator("#pg-source")).to_have_value(USES)
    assert tabs(page) == ["bot.py", "helper.py", "table.bin"]
    play(page)
    loaded(page)
    expect(page.locator(".cm-remark")).to_have_text(re.compile(r"^turn \d+ \(\d+.\)$"))
    expect(page.locator("#pg-fault")).to_be_empty()

    # By keys to the other file, where the bot fails.
    page.get_by_role("tab", name="bot.py").press("ArrowRight")
    expect(page.get_by_role("tabpanel", name="helper.py")).to_be_visible()
    write(page, HELPER.replace("'actions'", "'nothing'"))
    page.get_by_role("tab", name="helper.py").press("Home")
    play(page)
    expect(page.locator("#pg-fault").get_by_role("button", name="helper.py, line 2")).to_be_visible()
    expect(page.locator(".cm-line.marked")).to_contain_text("KeyError: 'nothing'")

    # A file comes, is renamed and goes; what it was is kept.
    page.get_by_role("button", name="New file").click()
    page.keyboard.type("notes.txt")
    page.keyboard.press("Enter")
    page.keyboard.type("remember")
    expect(page.locator("#pg-source")).to_have_value("remember")
    page.get_by_role("button", name="Rename").click()
    page.keyboard.type("lib/notes.txt")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Delete").click()
    page.reload()
    assert tabs(page) == ["bot.py", "helper.py", "table.bin"]
    page.get_by_text("History", exact=True).click()
    page.locator("#pg-history button").nth(1).click()  # after what it was when the page was left
    assert tabs(page) == ["bot.py", "helper.py", "lib/notes.txt", "table.bin"]
    page.locator("#pg-history li").filter(has_text="\N{MINUS SIGN}").last.get_by_role("button").click()
    expect(page.locator("#pg-source")).to_have_value(FIRST)
    assert tabs(page) == ["bot.py"]
    page.select_option("#pg-example", index=1)
    assert tabs(page)[1:] == ["helper.py", "lib/notes.txt", "table.bin"]

    # Out again, to the disk and to the site.
    with page.expect_download() as download:
        page.get_by_role("button", name="Download", exact=True).click()
    page.get_by_role("link", name="Save as a bot").click()
    expect(page).to_have_url(re.compile("/accounts/login/"))
    draft = page.evaluate("JSON.parse(localStorage['pecking-order.playground.save'])")
    assert base64.b64decode(draft["beside"]["table.bin"]["data"]) == TABLE
    with ZipFile(download.value.path()) as archive:
        assert archive.testzip() is None
        assert archive.read("table.bin") == TABLE
        assert archive.read("lib/notes.txt") == b"remember"
        assert archive.read("bot.py").decode() == USES


def test_a_version_of_the_site_is_opened_and_meets_a_draft_in_a_series(somebody: Callable[[], Page]) -> None:
    page = opened(somebody())
    write(page, FIRST)
    page.route(
        re.compile(r"^[^?]*/versions/3/source/$"), lambda route: route.fulfill(body=HELPER.replace("best", "act"))
    )
    page.goto("/playground/?game=pickomino&version=/bots/mine/versions/3/source/")
    expect(page.locator("#pg-failure")).to_contain_text("This version is in the editor")

    # The draft comes back by one key, and what was written over it in its turn.
    text, away = page.locator("#pg-source"), page.locator("#pg-away")
    expect(away).to_have_text("Your draft was put away. Undo")
    away.get_by_role("button", name="Undo").press("Enter")
    expect(text).to_have_value(FIRST)
    expect(away).to_have_text("Your draft is back.")
    expect(page.locator(".cm-content")).to_be_focused()
    page.select_option("#pg-example", index=1)
    expect(text).to_have_value(HELPER.replace("best", "act"))
    write(page, "# changed")
    away.get_by_role("button", name="Undo").click()
    expect(text).to_have_value(FIRST)
    away.get_by_role("button", name="Undo").click()
    expect(text).to_have_value("# changed")
    write(page, HELPER.replace("best", "act"))
    offered = page.locator("#pg-seat-1 option", has_text="My draft of").first
    draft = offered.inner_text()
    page.select_option("#pg-seat-1", offered.get_attribute("value"))
    write(page, HELPER.replace("best", "act") + "# more\n")
    page.fill("#pg-blocks", "3")
    page.get_by_role("button", name="Play a series").click()
    expect(page.locator("#pg-state")).to_have_text("6 games played.")
    rows = page.locator("#pg-told tbody tr")
    expect(rows.nth(1).locator("th")).to_contain_text(draft)
    expect(rows.nth(0).locator("td small").first).to_have_text(re.compile(r"^\d+\s% . \d+\s%$|^.$"))


def test_a_version_that_comes_with_the_page_leaves_the_focus_where_it_is(somebody: Callable[[], Page]) -> None:
    page = somebody()
    held: list[Route] = []
    page.route("**/editor-*.mjs", lambda route: held.append(route))  # the plain field is there first
    page.route(re.compile(r"^[^?]*/versions/3/source/$"), lambda route: route.fulfill(body=FIRST))
    page.goto("/playground/?game=pickomino&version=/bots/mine/versions/3/source/")
    expect(page.locator("#pg-source")).to_have_value(FIRST)
    assert page.evaluate("document.activeElement === document.body")
    held[0].continue_()
    page.locator(".cm-content").wait_for()
    assert page.evaluate("document.activeElement === document.body")


def test_what_is_typed_over_the_whole_text_breaks_no_policy(somebody: Callable[[], Page]) -> None:
    page = opened(somebody())
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    before = page.locator("#pg-source").input_value()
    page.locator(".cm-content").click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("x = 1")
    expect(page.locator("#pg-source")).to_have_value("x = 1")
    page.keyboard.press("ControlOrMeta+z")
    page.keyboard.press("ControlOrMeta+z")
    expect(page.locator("#pg-source")).to_have_value(before)
    assert complaints == []
