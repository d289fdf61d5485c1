"""Measure the bytes of a match page on a first visit, and the time until its board is visible on a slow connection."""

import os
import statistics
from typing import Any, Final

import django
from playwright.sync_api import Browser, CDPSession, Page

from tests.browser.chromium import chromium
from tests.matches.replay.frozen import freeze, served

MATCHES: Final = (("pickomino", 7), ("heckmeck", 7), ("laghetti", 4), ("karteneck", 5))
WINDOW: Final[Any] = {"width": 390, "height": 664}
# "Slow 4G" as defined by Lighthouse: 1.6 Mbit/s down, 0.75 up, 150 ms round trip.
SLOW_4G: Final = {"offline": False, "downloadThroughput": 204_800, "uploadThroughput": 96_000, "latency": 150}
RECORD_TIMES: Final = """
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
MOVES: Final = 40
# A step by key: the time until the main thread is free and the new layout is complete. Then the animations run.
MOVE: Final = """async () => {
  const begun = performance.now();
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
  document.body.offsetHeight;
  const took = performance.now() - begun;
  await new Promise(requestAnimationFrame);
  const moving = document.getAnimations().filter((one) => one.effect.getComputedTiming().endTime < Infinity);
  await Promise.allSettled(moving.map((one) => one.finished));
  return took;
}"""


def main() -> None:
    """Print a line for each game. The header has the aim."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings.test")
    django.setup()
    pages, paths = freeze(MATCHES, ["en"])
    print(
        "game        requests (20)  kB gzip (60)  shift (.05)  picture, slow 4G (1 s)  board, slow 4G"
        "  ms to a move  main thread, ms a beat (50)"
    )
    with chromium() as browser:
        for game, players in MATCHES:
            sent: list[tuple[str, int]] = []
            with served(pages, sent) as url:
                address = url + paths[game, players]
                page, shift = _come(browser, address)
                weight = len(sent), sum(size for _, size in sent) / 1000
                moves, busy = _watch(page)
                times = _times(browser, address)
            print(
                f"{game:10}  {weight[0]:13}  {weight[1]:12.1f}  {shift:11.3f}"
                f"  {times['picture'] / 1000:20.2f} s  {times['board'] / 1000:12.2f} s"
                f"  {statistics.median(moves):12.1f}  {busy:27.1f}"
            )


def _come(browser: Browser, address: str) -> tuple[Page, float]:
    """Return the page on a first visit, and its layout shift."""
    page = browser.new_page(viewport=WINDOW)
    page.add_init_script(RECORD_TIMES)
    page.goto(address, wait_until="networkidle")
    return page, page.evaluate("window.shift")


def _watch(page: Page) -> tuple[list[float], float]:
    """Return the milliseconds until each of some steps is complete, and the mean main-thread time of a beat: scripts,
    styles, layout and painting, from the key press to the last frame of the animation.
    """
    page.evaluate(MOVE)  # the first step loads deferred parts
    page.wait_for_load_state("networkidle")
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})  # processor time, because other programs may run
    before = _busy(session)
    moves = [page.evaluate(MOVE) for _ in range(MOVES)]
    busy = 1000 * (_busy(session) - before) / MOVES
    page.close()
    return moves, busy


def _busy(session: CDPSession) -> float:
    metrics = session.send("Performance.getMetrics")["metrics"]
    return float(next(one["value"] for one in metrics if one["name"] == "TaskDuration"))


def _times(browser: Browser, address: str) -> dict[str, float]:
    page = browser.new_page(viewport=WINDOW)
    page.add_init_script(RECORD_TIMES)
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", SLOW_4G)
    page.goto(address)
    page.wait_for_selector(".rp-stage .bd-place")
    page.evaluate("() => new Promise(requestAnimationFrame)")
    times: dict[str, float] = page.evaluate("window.seen")
    page.close()
    return times


if __name__ == "__main__":
    main()
