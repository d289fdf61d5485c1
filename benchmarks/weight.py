"""What a match page weighs for who comes for the first time, and how soon its board stands on a slow line."""

import os
import statistics
from typing import Any, Final

import django
from playwright.sync_api import Browser

from tests.browser.chromium import chromium
from tests.matches.replay.frozen import freeze, served

MATCHES: Final = (("pickomino", 7), ("heckmeck", 7), ("laghetti", 4), ("karteneck", 5))
WINDOW: Final[Any] = {"width": 390, "height": 664}
# "Slow 4G" as Lighthouse has it: 1.6 Mbit/s down, 0.75 up, 150 ms to and fro.
SLOW_4G: Final = {"offline": False, "downloadThroughput": 204_800, "uploadThroughput": 96_000, "latency": 150}
SEEN: Final = """
window.seen = {};
new MutationObserver(() => {
  for (const [name, what] of [["picture", ".rp-first svg"], ["board", ".rp-stage .bd-place"]]) {
    if (!window.seen[name] && document.querySelector(what)) {
      requestAnimationFrame(() => (window.seen[name] ??= performance.now()));
    }
  }
}).observe(document, { childList: true, subtree: true });
window.shift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""
BEATS: Final = """async () => {
  const times = [];
  const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  for (let n = 0; n < 60; n += 1) {
    const begun = performance.now();
    press("ArrowRight");
    document.body.offsetHeight;
    times.push(performance.now() - begun);
    await new Promise(requestAnimationFrame);
  }
  return times;
}"""


def main() -> None:
    """Print a line for each game; the aim stands in the head."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings.test")
    django.setup()
    pages, paths = freeze(MATCHES, ["en"])
    print("game        requests (20)  kB gzip (60)  shift (.05)  picture, slow 4G (1 s)  board, slow 4G  ms a move")
    with chromium() as browser:
        for game, players in MATCHES:
            sent: list[tuple[str, int]] = []
            with served(pages, sent) as url:
                address = url + paths[game, players]
                shift, moves = _visit(browser, address)
                weight = len(sent), sum(size for _, size in sent) / 1000
                seen = _seen(browser, address)
            print(
                f"{game:10}  {weight[0]:13}  {weight[1]:12.1f}  {shift:11.3f}"
                f"  {seen['picture'] / 1000:20.2f} s  {seen['board'] / 1000:12.2f} s  {statistics.median(moves):9.1f}"
            )


def _visit(browser: Browser, address: str) -> tuple[float, list[float]]:
    page = browser.new_page(viewport=WINDOW)
    page.add_init_script(SEEN)
    page.goto(address, wait_until="networkidle")
    shift, moves = page.evaluate("window.shift"), page.evaluate(BEATS)
    page.close()
    return shift, moves


def _seen(browser: Browser, address: str) -> dict[str, float]:
    page = browser.new_page(viewport=WINDOW)
    page.add_init_script(SEEN)
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", SLOW_4G)
    page.goto(address)
    page.wait_for_selector(".rp-stage .bd-place")
    page.evaluate("() => new Promise(requestAnimationFrame)")
    seen: dict[str, float] = page.evaluate("window.seen")
    page.close()
    return seen


if __name__ == "__main__":
    main()
