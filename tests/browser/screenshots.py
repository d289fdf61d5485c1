"""Pictures of every kind of page of a running site, at phone and desktop width, light and dark.

python -m tests.browser.screenshots OUTDIR [ADDRESS] [PASSWORD of organiser]
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urljoin

from playwright.sync_api import APIRequestContext, Browser, BrowserContext

from tests.browser.chromium import chromium

WIDTHS = {"phone": (390, 844), "desktop": (1280, 900)}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SETTLE_MS = 1000
HIGH = 6000  # pixels of a picture at most
ANYONES = {
    "home": "/",
    "watch": "/watch/",
    "tournaments": "/tournaments/",
    "leagues": "/leagues/",
    "matches": "/matches/",
    "rules": "/docs/rules/",
    "write-a-bot": "/docs/bots/",
    "api": "/api/docs/",
    "glossary": "/docs/glossary/",
    "search": "/search/?q=owl",
    "playground": "/playground/",
    "play-yourself": "/playground/play/",
    "sign-up": "/accounts/signup/",
    "sign-in": "/accounts/login/",
    "status": "/status/",
    "not-found": "/nothing-here/",
}
ORGANISERS = {
    "my-bots": "/bots/",
    "new-bot": "/bots/new/",
    "new-tournament": "/tournaments/new/",
    "new-league": "/leagues/new/",
    "profile": "/accounts/people/organiser/",
    "tokens": "/accounts/tokens/",
    "second-factor": "/accounts/2fa/",
    "webhooks": "/hooks/",
    "operations": "/operations/",
}
OF_A_TOURNAMENT = (
    "",
    "ratings/",
    "tie-breaks/",
    "rulings/",
    "fairness/",
    "rounds/1/",
    "rounds/1/boards/",
    "bracket/1/",
)
FOR_ITS_ORGANISER = ("plan/", "apart/", "arbiters/", "rulings/void/")


def named(*parts: str) -> str:
    return "-".join(part.strip("/").replace("/", "-") for part in parts if part)


def rows(site: APIRequestContext, address: str) -> list[dict[str, Any]]:
    """The first page of a list of the API."""
    return list(site.get(f"/api/{address}").json()["results"])


def pages_of_contests(site: APIRequestContext) -> Iterator[tuple[str, str]]:
    """A tournament in each state with its pages, a league with its bots, a match of each game."""
    for state in ("open", "running", "finished"):
        for cup in rows(site, f"tournaments/?state={state}")[:1]:
            for part in OF_A_TOURNAMENT if state == "finished" else ("",):
                yield named("tournament", state, part), f"/tournaments/{cup['slug']}/{part}"
    for cup in rows(site, "tournaments/"):
        yield "bracket", f"/tournaments/{cup['slug']}/bracket/1/"
    for league in rows(site, "leagues/?state=open")[:1]:
        yield "league", f"/leagues/{league['slug']}/"
        for member in rows(site, f"leagues/{league['slug']}/members/")[:1]:
            yield "league-bot", f"/leagues/{league['slug']}/bots/{member['bot']['slug']}/"
            yield "bot", f"/bots/{member['bot']['slug']}/"
    for game in rows(site, "games/"):
        name = game["name"]
        yield f"rules-{name}", f"/docs/rules/{name}/"
        for match in rows(site, f"matches/?state=finished&game={name}")[:1]:
            yield f"match-{name}", f"/matches/{match['id']}/"


def organisers_pages(site: APIRequestContext) -> Iterator[tuple[str, str]]:
    yield from ORGANISERS.items()
    for cup in rows(site, "tournaments/?state=running")[:1]:
        for part in ("", *FOR_ITS_ORGANISER):
            yield named("organiser", part), f"/tournaments/{cup['slug']}/{part}"


def photograph(context: BrowserContext, site: str, name: str, path: str, file: Path) -> None:
    """Write one picture, and print what an eye might miss: an error, a page that is wider than its window."""
    page = context.new_page()
    answer = page.goto(urljoin(site, path))
    if answer and answer.status == 404 and name != "not-found":
        page.close()
        return
    page.wait_for_timeout(SETTLE_MS)
    wide, high = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    width = page.viewport_size["width"] if page.viewport_size else wide
    page.screenshot(path=file, full_page=True, clip={"x": 0, "y": 0, "width": width, "height": min(high, HIGH)})
    if wide > width:
        print(f"{name}: {wide} pixels in a window of {width}")
    if answer and answer.status >= 500:
        print(f"{name}: {answer.status}")
    page.close()


def opened(browser: Browser, site: str, width: str, scheme: Literal["light", "dark"], password: str) -> BrowserContext:
    wide, high = WIDTHS[width]
    context = browser.new_context(base_url=site, viewport={"width": wide, "height": high}, color_scheme=scheme)
    if password:
        page = context.new_page()
        page.goto("/accounts/login/")
        page.fill("[name=login]", "organiser")
        page.fill("[name=password]", password)
        page.locator("main form button.primary").click()
        page.wait_for_url(lambda url: "login" not in url)
        page.close()
    return context


def main(out: Path, site: str = "http://127.0.0.1:8000/", password: str = "") -> None:
    """Write OUTDIR/page-width-scheme.png for each."""
    out.mkdir(parents=True, exist_ok=True)
    with chromium() as browser:
        for role in ("", password) if password else ("",):
            for width in WIDTHS:
                for scheme in SCHEMES:
                    context = opened(browser, site, width, scheme, role)
                    found = organisers_pages(context.request) if role else pages_of_contests(context.request)
                    done: set[str] = set()
                    for name, path in [*({} if role else ANYONES).items(), *found]:
                        file = out / f"{name}-{width}-{scheme}.png"
                        if name not in done:
                            photograph(context, site, name, path, file)
                        if file.exists():
                            done.add(name)
                    context.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
