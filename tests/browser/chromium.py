"""A real Chromium, as it is installed on this machine."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from playwright.sync_api import Browser, Page, expect, sync_playwright

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
WAIT_MS = 60_000  # for what comes at once on a quiet machine: long enough for one with ten times the work
# Pages fade into each other (base.css), which takes a third of a second without a graphics card, and no picture can be
# taken meanwhile: journeys of hundreds of pages go without.
NO_FADE = "addEventListener('pageswap', (event) => event.viewTransition?.skipTransition())"
# Resolves in a frame after that in which scripts are told of the window's size.
RESIZED = """([width, height]) => new Promise((done) => {
  const look = () => requestAnimationFrame(innerWidth === width && innerHeight === height ? done : look);
  look();
})"""
QUIET = ("--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run")


def chromium_path() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser. As root it runs without its own sandbox, which it refuses there."""
    path = chromium_path()
    assert path is not None, "no Chromium"
    arguments = [*QUIET, *(["--no-sandbox"] if os.getuid() == 0 else [])]
    expect.set_options(timeout=WAIT_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        try:
            yield browser
        finally:
            browser.close()


def resize(page: Page, width: int, height: int) -> None:
    """Give the window a size, and wait until scripts have laid the page out for it."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(RESIZED, [width, height])


def stop_the_clock(page: Page) -> None:
    """Let the page's timers wait from now on until its clock is run."""
    page.clock.install(time=datetime(2026, 1, 1, tzinfo=UTC))
    page.clock.pause_at(datetime(2026, 1, 1, 1, tzinfo=UTC))


def until(page: Page, condition: Callable[[], object]) -> None:
    """Wait for a condition of the test while the page goes on."""
    for _ in range(WAIT_MS // 20):
        if condition():
            return
        page.wait_for_timeout(20)
    assert condition()


def run_until(page: Page, condition: Callable[[], object]) -> None:
    """Let time pass on a page whose clock was stopped until ``condition`` holds."""

    def holds() -> bool:
        if condition():
            return True
        page.clock.run_for(100)
        return False

    until(page, holds)
