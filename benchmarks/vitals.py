"""Measure the web vitals (LCP, INP, CLS) of common pages of a running site in Chromium, as on a phone.

python -m benchmarks.vitals [ADDRESS]
"""

import sys
from collections.abc import Iterator
from typing import Any, Final

from playwright.sync_api import APIRequestContext, Browser, Page

from benchmarks.weight import SLOW_4G
from tests.browser.chromium import chromium
from tests.browser.screenshots import rows

PHONE: Final[Any] = {"width": 390, "height": 844}
SETTLE_MS: Final = 2500
KEYS: Final = 6
OBSERVE: Final = """
window.vitals = { lcp: 0, cls: 0, taken: {}, bytes: 0 };
const watch = (type, take, more = {}) =>
  new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...more });
watch("largest-contentful-paint", ({ startTime }) => (vitals.lcp = startTime));
watch("layout-shift", ({ value, hadRecentInput }) => { if (!hadRecentInput) vitals.cls += value; });
watch("event", ({ interactionId: id, duration }) => {
  if (id) vitals.taken[id] = Math.max(vitals.taken[id] ?? 0, duration);
}, { durationThreshold: 16 });
"""
READ: Final = """() => ({
  lcp: vitals.lcp, cls: vitals.cls, inp: Math.max(0, ...Object.values(vitals.taken)),
  sent: performance.getEntries().reduce((sum, { transferSize }) => sum + (transferSize || 0), 0),
  requests: performance.getEntriesByType("resource").length + 1,
})"""


def pages(site: APIRequestContext) -> Iterator[tuple[str, str]]:
    """Yield the label and path of each page to measure, as far as the site has it."""
    yield "home", "/"
    yield from ((f"match {one['id']}", f"/matches/{one['id']}/") for one in rows(site, "matches/?state=finished")[:1])
    yield from ((one["slug"], f"/tournaments/{one['slug']}/") for one in rows(site, "tournaments/?state=finished")[:1])
    yield from ((one["slug"], f"/leagues/{one['slug']}/") for one in rows(site, "leagues/?state=open")[:1])
    yield "playground", "/playground/"


def main(address: str = "http://127.0.0.1:8000/") -> None:
    """Print a line for each page. The header has the aims."""
    print(f"{'page':28} requests  kB sent  LCP (1.2 s)  LCP, slow 4G (2.5 s)  INP (100 ms)  CLS (.02)")
    with chromium() as browser:
        site = browser.new_context(base_url=address).request
        for name, path in pages(site):
            quick, slow = _visit(browser, address, path), _visit(browser, address, path, slow=True)
            print(
                f"{name[:28]:28} {quick['requests']:8}  {quick['sent'] / 1000:7.0f}  {quick['lcp'] / 1000:9.2f} s"
                f"  {slow['lcp'] / 1000:18.2f} s  {quick['inp']:9.0f} ms  {max(quick['cls'], slow['cls']):9.4f}",
                flush=True,
            )


def _visit(browser: Browser, address: str, path: str, *, slow: bool = False) -> dict[str, float]:
    """Return the figures of a first visit to a page, with key presses and opened elements."""
    context = browser.new_context(base_url=address, viewport=PHONE, has_touch=True)
    page = context.new_page()
    page.add_init_script(OBSERVE)
    if slow:
        context.new_cdp_session(page).send("Network.emulateNetworkConditions", SLOW_4G)
    page.goto(path)
    page.wait_for_timeout(SETTLE_MS * (2 if slow else 1))
    if not slow:
        _use(page)
    found: dict[str, float] = page.evaluate(READ)
    context.close()
    return found


def _use(page: Page) -> None:
    for _ in range(KEYS):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(100)
    openers = page.locator("main summary:visible, [role=tab]:visible, .more > summary:visible")
    for opens in openers.element_handles()[:3]:
        if opens.is_visible():  # a click may hide the next element
            opens.click(force=True)
        page.wait_for_timeout(200)


if __name__ == "__main__":
    main(*sys.argv[1:])
