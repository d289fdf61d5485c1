"""Play records on a game's board in a real browser, with the site's replay player, at desktop and phone size."""

import base64
import hashlib
import os
import re
import shutil
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from peck import watch

BROWSERS: Final = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
SIZES: Final = ((1280, 800), (390, 844))
WAIT_MS: Final = 60_000
MOVES_MOST: Final = 60  # moves that are checked one by one from the start; then the end
# Collects violations of the page's content security policy, besides the browser's own messages.
LISTEN: Final = (
    "addEventListener('securitypolicyviolation', (event) => console.error(`refused: ${event.violatedDirective}`))"
)


def boards_lacking(game: str) -> str:
    """Return why boards of ``game`` cannot be tested here, "" if they can."""
    if find_spec("playwright") is None:
        return "playwright is not installed ('pip install playwright' brings this back)"
    if _chromium() is None:
        return "there is no Chromium ('apt-get install chromium' brings this back)"
    try:
        watch.watch_player_of_kit(game)
    except watch.NoPlayerError:
        return f"there is no player for {game} here: take the package pecking from a site that has the game"
    return ""


def check_boards(records: Iterable[bytes], folder: Path) -> None:
    """Play each record on its board at every size. Pages are written into ``folder``.

    Raises:
        AssertionError: the browser reported an error or a violation of the page's policy, no text says
            what happened, or the page is wider than the window.
    """
    from playwright.sync_api import sync_playwright

    arguments = ["--no-sandbox"] if os.getuid() == 0 else []  # Chromium refuses to run as root without it
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_chromium(), args=arguments)
        for number, record in enumerate(records):
            file = folder / f"board-{number}.html"
            file.write_text(_strict(watch.watch_page(record, (), "board")), encoding="utf-8")
            for width, height in SIZES:
                context = browser.new_context(
                    viewport={"width": width, "height": height}, offline=True, reduced_motion="reduce"
                )
                context.set_default_timeout(WAIT_MS)
                _check(context.new_page(), file, width)
                context.close()
        browser.close()


def _check(page: Any, file: Path, width: int) -> None:
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.extend([said.text] if said.type == "error" else []))
    page.add_init_script(LISTEN)
    page.goto(file.as_uri())
    page.wait_for_selector(".rp-stage > *")
    page.wait_for_function("/^\\d+ \\/ [1-9]/.test(document.querySelector('.rp-count').textContent)")
    page.locator("match-replay").focus()
    (step, last), moves = _steps(page), 0
    while step < last:
        before = step
        page.keyboard.press("ArrowRight" if moves < MOVES_MOST else "End")
        step, last = _steps(page)
        assert step > before, f"{width} px: it does not go on from step {before} of {last}"
        moves += 1
        said = page.locator(".rp-sentence").inner_text().strip()
        assert said, f"{width} px: nothing says in words what happened up to step {step}"
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"at step {step} the page is {wide} px wide, and the window {width}"
    stage = page.locator(".rp-stage > *").first.bounding_box() or {"x": 0, "width": 0, "height": 0}
    assert min(stage["width"], stage["height"]) > 0, f"{width} px: nothing is on the board"
    assert 0 <= stage["x"] <= width + 0.5 - stage["width"], f"{width} px: the board is cut off"
    assert not wrong, f"{width} px: {wrong}"


def _steps(page: Any) -> tuple[int, int]:
    """Return the current step and the last one."""
    step, _, last = page.locator(".rp-count").inner_text().partition("/")
    return int(step), int(last)


def _strict(page: str) -> str:
    """Return the page with the site's policy for styles: only the page's own style sheets, and no style attributes."""
    styles = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    hashes = " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(one.encode()).digest()).decode()}'" for one in styles)
    return page.replace("style-src 'unsafe-inline'", f"style-src {hashes}", 1).replace(
        "style-src &#x27;unsafe-inline&#x27;", f"style-src {hashes}", 1
    )


@cache
def _chromium() -> str | None:
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)
