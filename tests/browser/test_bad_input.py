"""Files that are no bots and forms that are not ours: the error is beside the field, and the input stays."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import people

pytestmark = [pytest.mark.browser, pytest.mark.postgres, pytest.mark.timeout(180)]


WRONG = {
    "not a zip": ("bot.zip", b"this is not a zip"),
    "a syntax error": ("bot.py", b"def act(view:\n"),
    "no act": ("bot.py", b"def play(view):\n    return view['actions'][0]\n"),
    "binary rubbish": ("bot.py", bytes(range(256))),
}


def test_a_wrong_file_is_reported_beside_its_field_and_the_name_stays(
    somebody: Callable[[], Page], tmp_path: Path
) -> None:
    author = somebody()
    people.sign_up(author, "careful")
    for what, (filename, content) in WRONG.items():
        file = tmp_path / filename
        file.write_bytes(content)
        people.upload_bot(author, "Careful Hen", file)
        field = author.locator(".field", has=author.locator("input[type=file]"))
        expect(field.locator(".errors, .errorlist, [role=alert]").first, what).not_to_be_empty()
        expect(author.locator("[name=name]"), what).to_have_value("Careful Hen")
    author.goto("/bots/")
    expect(author.get_by_text("Careful Hen")).to_have_count(0)


def test_on_a_phone_the_page_begins_where_it_says_what_is_wrong(somebody: Callable[[], Page], tmp_path: Path) -> None:
    author = somebody()
    people.sign_up(author, "lowly")
    file = tmp_path / "bot.py"
    file.write_bytes(b"def act(view:\n")
    for height in (320, 844):  # on the high one it lies behind the bar, not below the screen
        author.set_viewport_size({"width": 390, "height": height})
        people.upload_bot(author, "Lowly Hen", file)
        field = author.locator(".field", has=author.locator("input[type=file]"))
        expect(field.locator(".errorlist")).to_be_in_viewport(ratio=1)
        expect(field.locator("input[type=file]")).to_be_focused()


def test_a_file_that_no_request_may_hold_is_not_sent_and_another_one_is(
    somebody: Callable[[], Page], tmp_path: Path
) -> None:
    author = somebody()
    people.sign_up(author, "heavy")
    large, small = tmp_path / "large.py", tmp_path / "small.py"
    large.write_bytes(b"#" * 12 * 1024 * 1024)
    small.write_bytes(people.FIRST_BOT)
    people.upload_bot(author, "Heavy Hen", large)
    expect(author.locator("file-drop output")).to_contain_text("too large")
    expect(author.locator("[name=name]")).to_have_value("Heavy Hen")
    people.choose_file(author, small)
    author.get_by_role("button", name="Create and check it").click()
    people.read_verdict(author, "accepted")


def test_a_bot_that_breaks_in_its_check_is_refused_with_the_line_and_what_it_saw(
    somebody: Callable[[], Page], tmp_path: Path
) -> None:
    author = somebody()
    people.sign_up(author, "eggless")
    file = tmp_path / "bot.py"
    file.write_text("def act(view):\n    return view['actions'][0] + view['eggs']\n")
    people.upload_bot(author, "Eggless", file)
    people.read_verdict(author, "refused")
    verdict = author.locator("#verdict")
    expect(verdict).to_contain_text("KeyError")
    expect(verdict).to_contain_text("line 2")
    expect(verdict).to_contain_text("grill")
