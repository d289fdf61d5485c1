"""No page is wider than its window, on a narrow phone as on a desk, in any language, however long the names are."""

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.chromium import resize
from tests.browser.frozen_site import LANGUAGES
from tests.browser.test_axe import come, frozen_site, page_in
from tests.matches.replay.test_fit import COUNT_SHIFTS, SHIFT_MOST

pytestmark = [pytest.mark.browser, pytest.mark.timeout(1200)]

WIDTHS = (320, 360, 390, 900, 1280)
# What makes the page wider than its window, and what stands a letter or two a line.
TOO_WIDE = """() => {
  const wrong = [];
  const told = (element) => `${element.tagName} ${element.className}: ${element.textContent.trim().slice(0, 40)}`;
  const scrolls = (element) =>
    element && (getComputedStyle(element).overflowX !== "visible" || scrolls(element.parentElement));
  const wide = document.documentElement.scrollWidth > innerWidth;
  for (const element of document.querySelectorAll("main *, header *, footer *, .phone-bar *")) {
    if (!element.checkVisibility({ visibilityProperty: true }) || element.closest("svg, .visually-hidden")) continue;
    const { right, width } = element.getBoundingClientRect();
    const beyond = Math.round(right - innerWidth);
    if (wide && beyond > 1 && !scrolls(element)) wrong.push(`beyond the window by ${beyond}: ${told(element)}`);
    const said = [...element.childNodes].filter(({ nodeType, data }) => nodeType === 3 && /\\p{L}{4}/u.test(data));
    if (!said.length || !width) continue;
    const range = document.createRange();
    for (const text of said) {
      range.selectNodeContents(text);
      const lines = new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size;
      const letters = text.data.trim().length;
      if (lines > 2 && letters / lines < 3) wrong.push(`${lines} lines for ${letters} letters: ${told(element)}`);
    }
  }
  for (const select of document.querySelectorAll("main select")) {
    const { width } = select.getBoundingClientRect();
    if (width && width < 60) wrong.push(`a select of ${Math.round(width)} px`);
  }
  const ways = document.querySelector(".site-nav"); // a page of a match keeps to one row, and leads home by its trail
  if (ways && innerWidth >= 768 && !document.querySelector(".watch") && ways.scrollWidth > ways.clientWidth)
    wrong.push("not all ways around are in view");
  if (wide && !wrong.length) wrong.push(`${document.documentElement.scrollWidth} px wide`);
  return [...new Set(wrong)].slice(0, 6);
}"""


def too_wide(page: Page, path: str) -> list[str]:
    page.set_viewport_size({"width": 390, "height": 800})
    come(page, path)
    found = []
    if page.locator("#pg-game").count():
        page.locator("#pg-game option").first.wait_for(state="attached")
        if (shift := page.evaluate("window.shift")) > SHIFT_MOST:
            found.append(f"what a script puts there moves the page by {shift:.3f}")
    for width in WIDTHS:
        resize(page, width, 800)
        found += [f"{width}: {wrong}" for wrong in page.evaluate(TOO_WIDE)]
    return found


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.exhaustive)])
def test_no_page_is_wider_than_its_window_in_any_language(browser: Browser, whole: bool) -> None:
    found = {}
    with frozen_site(whole=whole, long_names=True) as (paths, address):
        for language in LANGUAGES:
            with page_in(browser, paths, address, language) as page:
                page.add_init_script(COUNT_SHIFTS)
                for name, (path, languages) in paths.items():
                    if language in languages:
                        found[name, language] = too_wide(page, path)
    assert not any(found.values()), "\n".join(f"{where}: {one}" for where, wrong in found.items() for one in wrong)
