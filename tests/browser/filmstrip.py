"""Filmstrips of what moves in the replay player: a picture every 100 ms, side by side, to be looked at.

python -m tests.browser.filmstrip OUTDIR [MOMENT ...]

OUTDIR/moment-width-scheme.png for a roll, a take, a theft, a bust, a menu, a trick and so on, at three widths and in
both schemes. The clock of the page is stopped: animations are moved by hand, so a strip is the same on any machine.
"""

import base64
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import django
from playwright.sync_api import Browser, Page

from games.beats import Beat, beats_of
from games.catalogue import GAMES
from games.frames import frames
from tests.browser.chromium import chromium
from tests.browser.people import loaded

WINDOWS: Final = {"phone": (390, 664), "tablet": (768, 900), "desktop": (1280, 720)}
SCHEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")
EVERY_MS, LAST_MS = 100, 1500
COLUMNS: Final = {"phone": 8, "tablet": 6, "desktop": 4}
SHOWN: Final = {"phone": 240, "tablet": 320, "desktop": 480}  # pixels that a picture of the strip is wide
HALT: Final = """() => addEventListener("keydown", () => queueMicrotask(() => {
  window.moving = document.getAnimations();
  for (const one of window.moving) one.pause();
}), { once: true })"""
SEEK: Final = "(ms) => { for (const one of window.moving) one.currentTime = ms; }"


class Moment(NamedTuple):
    """The beat that is filmed: the first of ``kind`` from the share ``since`` of the game on, or ``after`` later."""

    game: str
    kind: str
    since: float = 0.0
    after: int = 0


MOMENTS: Final = {
    "roll": Moment("pickomino", "keep", 0.1),
    "take": Moment("pickomino", "take", 0.1),
    "steal": Moment("pickomino", "steal"),
    "bust": Moment("heckmeck", "bust", 0.2),
    "specialist": Moment("heckmeck", "take"),
    "play": Moment("karteneck", "play", 0.4),
    "menu": Moment("karteneck", "menu"),
    "theft": Moment("karteneck", "steal"),
    "deal": Moment("laghetti", "deal", 0.3),
    "bids": Moment("laghetti", "bids", 0.3),
    "trick": Moment("laghetti", "trick", 0.5),
    "sail": Moment("laghetti", "trick", 0.5, after=1),
    "end": Moment("pickomino", "end"),
}


def beat_before(moment: Moment, canned: Callable[[str], Any]) -> int:
    """The step after which the moment comes."""
    shown = list(frames(canned(moment.game)))
    beats = beats_of(GAMES[moment.game].mark, shown)

    def wanted(at: int) -> Iterator[Beat]:
        yield from (beat for beat in beats[at:] if beat.kind == moment.kind)

    beat = next(wanted(max(1, round(moment.since * len(beats)))), None) or next(wanted(1))
    return beats[beats.index(beat) + moment.after - 1].last


def pictures(page: Page) -> list[bytes]:
    """What is seen every 100 ms after the next move."""
    page.evaluate(HALT)
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => window.moving")
    found = []
    for ms in range(0, LAST_MS + 1, EVERY_MS):
        page.evaluate(SEEK, ms)
        found.append(page.locator(".rp-main").screenshot())
    return found


def sheet(page: Page, images: list[bytes], device: str, file: Path) -> None:
    """Write the pictures side by side."""
    width, columns = SHOWN[device], COLUMNS[device]
    shown = "".join(
        f'<img width="{width}" src="data:image/png;base64,{base64.b64encode(one).decode()}">' for one in images
    )
    page.set_viewport_size({"width": columns * (width + 4), "height": 200})
    page.set_content(f'<body style="margin:0;background:#888;display:flex;flex-wrap:wrap;gap:4px">{shown}</body>')
    page.screenshot(path=file, full_page=True)


def take(browser: Browser, url: str, out: Path, names: list[str]) -> None:
    from tests.matches.replay.player_server import canned  # it imports models

    for device, (width, height) in WINDOWS.items():
        for scheme in SCHEMES:
            context = browser.new_context(
                viewport={"width": width, "height": height}, color_scheme=scheme, base_url=url
            )
            page, easel = context.new_page(), context.new_page()
            for name in names:
                moment = MOMENTS[name]
                page.goto(f"/boards/{moment.game}/?step={beat_before(moment, canned)}")
                loaded(page)
                sheet(easel, pictures(page), device, out / f"{name}-{device}-{scheme}.png")
            context.close()


def main(out: Path, *names: str) -> None:
    """Write the strips of ``names``, or of all moments."""
    django.setup()
    from tests.matches.replay.player_server import stage

    out.mkdir(parents=True, exist_ok=True)
    with stage() as url, chromium() as browser:
        take(browser, url, out, list(names or MOMENTS))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
