"""A match as one file, opened from the disk: it plays without a network, in any language."""

import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import loaded, press
from tests.matches.replay.frozen import made_by

SCORES = {"pickomino": "Worms", "heckmeck": "Worms", "laghetti": "Points", "karteneck": "Worms", "german": "Würmer"}


@pytest.fixture(scope="module")
def files() -> Iterator[Path]:
    """Files of house matches of every game, by ``python -m tests.matches.replay.match_files``."""
    with TemporaryDirectory() as folder:
        for name, text in made_by("tests.matches.replay.match_files").items():
            Path(folder, f"{name}.html").write_text(text, encoding="utf-8")
        yield Path(folder)


@pytest.mark.browser
@pytest.mark.parametrize("name", ["pickomino", "heckmeck", "laghetti", "karteneck", "german"])
def test_it_plays_from_the_disk(browser: Browser, files: Path, name: str) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, offline=True)
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: message.type == "error" and wrong.append(message.text))
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto((files / f"{name}.html").as_uri())
    last = loaded(page)
    expect(page.locator(".rp-stage")).to_be_visible()
    page.locator("match-replay").focus()
    press(page, "End", f"{last} / {last}")
    expect(page.get_by_role("button", name="Abspielen" if name == "german" else "Play", exact=True)).to_be_visible()
    expect(page.locator(".rp-end")).to_be_visible()  # comes later, and is in the file
    expect(page.locator(".rp-of")).to_contain_text(SCORES[name])
    unit = {"laghetti": "round", "karteneck": "round", "german": "Zug"}.get(name, "turn")
    expect(page.locator(".rp-end")).to_contain_text(re.compile(rf"in {unit} \d+"))
    page.keyboard.press("Escape")
    expect(page.locator(".rp-end")).to_be_hidden()
    expect(page.locator(".rp-seats")).to_contain_text("Fat Crow")
    assert page.title().startswith("Fat Crow")
    assert wrong == []
    assert [url for url in requests if not url.startswith(("file:", "blob:"))] == []
    context.close()
