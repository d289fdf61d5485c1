"""A real Chromium, as it is installed on this machine."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, expect, sync_playwright

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
WAIT_MS = 60_000  # for what comes at once on a quiet machine: long enough for one with ten times the work
# Pages fade into each other (base.css), which takes a third of a second without a graphics card, and no picture can be
# taken meanwhile: journeys of hundreds of pages go without.
NO_FADE = "addEventListener('pageswap', (event) => event.viewTransition?.skipTransition())"
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
