"""What axe-core finds on the pages that matter: nothing, in every language, in both themes and both widths.

A page is opened in one language and read at both widths, at one in light and at the other in dark, so that over all
pages every combination occurs. The full product is a slow test.
"""

import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import product
from typing import Final, Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page, Response, WebSocketRoute

from tests.browser.frozen_site import LANGUAGES
from tests.matches.replay.frozen import Pages, made_by, served

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

Look = tuple[int, Literal["light", "dark"]]
LOOKS: Final[tuple[tuple[Look, Look], ...]] = (
    ((390, "light"), (1280, "dark")),
    ((390, "dark"), (1280, "light")),
)
# Colours that are on their way to others are no colours yet.
STILL: Final = """
const still = new CSSStyleSheet();
still.replaceSync("*, *::before, *::after { transition: none !important; animation: none !important }");
document.adoptedStyleSheets = [still];
"""
FOUND: Final = """async () => {
  const { violations } = await axe.run({ resultTypes: ["violations"] });
  const told = (id, { html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary?.split("\\n")[1]}`;
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => told(id, node)));
}"""
Frozen = dict[str, tuple[str, list[str]]]  # by name: path and languages


@contextmanager
def frozen_site(**how: bool) -> Iterator[tuple[Frozen, str]]:
    paths, answers = made_by("tests.browser.frozen_site", how)
    with served(Pages(answers)) as address:
        yield paths, address


@contextmanager
def page_in(browser: Browser, paths: Frozen, address: str, language: str) -> Iterator[Page]:
    """An empty page of somebody who reads the site in a language."""
    context = browser.new_context(reduced_motion="reduce", base_url=address)
    context.add_cookies([{"name": "lang", "value": language, "url": address}])
    context.add_init_script(STILL)
    page = context.new_page()
    page.route_web_socket(re.compile("/ws/matches/"), partial(send_on_air, paths["match to come"][0]))
    yield page
    context.close()


def come(page: Page, path: str) -> None:
    """Open a page, and wait until its player shows something."""
    page.goto(path)
    if page.locator("match-replay").count():
        page.locator(".rp-sentence:not(:empty), .rp-premiere:not([hidden])").first.wait_for()


@contextmanager
def reader(browser: Browser, paths: Frozen, address: str, language: str) -> Iterator[Callable[..., list[str]]]:
    """``read(name, *looks)``: what is wrong with a page."""
    with page_in(browser, paths, address, language) as page:
        page.add_init_script(AXE_SCRIPT)
        missing: list[str] = []
        page.on("response", lambda answer: missing.extend(unstyled(answer)))

        def read(name: str, *looks: Look) -> list[str]:
            show(page, *looks[0])
            come(page, paths[name][0])
            found = []
            for width, theme in looks:
                show(page, width, theme)
                found += [f"{width} {theme}: {wrong}" for wrong in page.evaluate(FOUND)]
            return found + missing

        yield read


def unstyled(answer: Response) -> list[str]:
    """A page without its style sheets would be clean."""
    return [] if answer.ok or "/static/" not in answer.url else [f"missing: {answer.url}"]


def show(page: Page, width: int, theme: Literal["light", "dark"]) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=theme)


def send_on_air(to_come: str, socket: WebSocketRoute) -> None:
    """What the site's own socket says first: a broadcast goes on, or its premiere is in ten minutes."""
    ahead = 600_000 if socket.url.partition("?")[0].endswith(to_come) else -30_000
    socket.send(json.dumps({"type": "state", "state": "on_air", "airs": round(time.time() * 1000) + ahead}))


def test_every_page_is_clean_in_a_language_at_both_widths_in_both_themes(browser: Browser) -> None:
    found = {}
    with frozen_site(whole=False) as (paths, address):
        for language in LANGUAGES:
            with reader(browser, paths, address, language) as read:
                names = [name for name, (_, languages) in paths.items() if language in languages]
                assert len(names) >= len(LOOKS)
                found |= {name: read(name, *LOOKS[place % len(LOOKS)]) for place, name in enumerate(names)}
    assert not any(found.values()), "\n".join(f"{name}: {one}" for name, wrong in found.items() for one in wrong)


@pytest.mark.slow
def test_every_page_is_clean_in_every_combination(browser: Browser) -> None:
    found = {}
    with frozen_site(whole=True) as (paths, address):
        for language, looks in product(LANGUAGES, LOOKS):
            with reader(browser, paths, address, language) as read:
                found |= {(name, language, looks): read(name, *looks) for name in paths}
    assert not any(found.values()), "\n".join(f"{where}: {one}" for where, wrong in found.items() for one in wrong)
