"""Pictures of the pages of a running site, at phone and desktop width, light and dark.

python -m tests.browser.screenshots OUTDIR [ADDRESS]
"""

import sys
from pathlib import Path
from typing import Literal
from urllib.parse import urljoin

from playwright.sync_api import Browser, Page

from tests.browser.chromium import chromium

WIDTHS = {"phone": (390, 844), "desktop": (1280, 900)}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SETTLE_MS = 800


def first_link(page: Page, prefix: str) -> str:
    """The first link on the page to something of a kind, such as /matches/7/."""
    for link in page.locator("main a").all():
        path = (link.get_attribute("href") or "").split("?")[0]
        if path.startswith(prefix) and path.count("/") == prefix.count("/") + 1:
            return path
    raise LookupError(f"no link to {prefix}... on {page.url}")


def addresses(browser: Browser, site: str) -> dict[str, str]:
    """What to photograph: the cup that is finished or being played, one of its bots, matches and replays."""
    page = browser.new_page()
    page.goto(urljoin(site, "/matches/?state=finished"))
    replay = first_link(page, "/matches/")
    page.goto(urljoin(site, "/matches/"))
    newest = first_link(page, "/matches/")
    page.goto(urljoin(site, replay))
    bot = first_link(page, "/bots/")
    page.goto(urljoin(site, "/tournaments/"))
    tournaments = [link.get_attribute("href") or "" for link in page.locator("main a[href^='/tournaments/']").all()]
    page.close()
    return {
        "home": "/",
        "bot": bot,
        "tournaments": "/tournaments/",
        "tournament": next(link for link in tournaments if "backyard" in link),
        "live": newest,
        "match": replay,
        "replay": f"{replay}?step=60",
        "matches": "/matches/",
        "write-a-bot": "/docs/bots/",
        "games": "/docs/rules/",
        "rules": "/docs/rules/pickomino/",
        "sign-up": "/accounts/signup/",
    }


def main(out: Path, site: str = "http://127.0.0.1:8000/") -> None:
    """Write OUTDIR/page-width-scheme.png for each."""
    out.mkdir(parents=True, exist_ok=True)
    with chromium() as browser:
        found = addresses(browser, site)
        for device, (width, height) in WIDTHS.items():
            for scheme in SCHEMES:
                context = browser.new_context(
                    viewport={"width": width, "height": height}, color_scheme=scheme, device_scale_factor=1
                )
                page = context.new_page()
                for name, path in found.items():
                    page.goto(urljoin(site, path))
                    page.wait_for_timeout(SETTLE_MS)
                    page.screenshot(path=out / f"{name}-{device}-{scheme}.png", full_page=True)
                    wide = page.evaluate("document.documentElement.scrollWidth")
                    if wide > width:
                        print(f"{name} is {wide} pixels wide on a {device}")
                context.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
