"""A broadcast in two browsers: one late, one whose clock is an hour off, both cut off for a while, and in step."""

import os
import re
import signal
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from itertools import accumulate

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from games.beats import Beat, Tempo, Weight, dwells
from tests.browser.chromium import WAIT_MS
from tests.browser.running import Site, StartedSite
from tests.waiting import eventually

pytestmark = [pytest.mark.browser, pytest.mark.timeout(420)]

ON_AIR = """
from tests.matches.airing.on_air import match_on_air
from tests.bots.factories import BotVersionFactory
from games.catalogue import GAMES
from bots.models import BotVersion
source = GAMES["pickomino"].house_bots[1].source()
bots = list(BotVersion.objects.filter(bot__game="pickomino", state="accepted")[:2])
bots = bots or [BotVersionFactory(source=source) for _ in range(2)]
match = match_on_air(tempo="every", elapsed=ELAPSED, seats=bots)
print(match.pk)
"""


ON_CHANNEL = (
    ON_AIR.replace("print(match.pk)", "").replace("ELAPSED", "5")
    + """
from time import time
from matches.airing.services import broadcast_end
broadcast_end(match_id=match.pk, at_once=True)
print(f"/matches/{match.pk}/", round(time() * 1000) - 20_000)
"""
)


def begin(running: Site, elapsed: float) -> str:
    said = running.manage("shell", "-v0", "-c", f"ELAPSED = {elapsed}\n{ON_AIR}")
    return f"/matches/{said.strip().splitlines()[-1]}/"


@pytest.fixture
def viewer(browser: Browser, quiet_site: Site) -> Iterator[Callable[..., Page]]:
    contexts = []

    def come(*, ahead: timedelta | None = None, cut: list[WebSocketRoute] | None = None) -> Page:
        context = browser.new_context(base_url=quiet_site.url, viewport={"width": 1280, "height": 900})
        context.set_default_timeout(WAIT_MS)
        contexts.append(context)
        page = context.new_page()
        if ahead is not None:
            page.clock.install(time=datetime.now() + ahead)
        if cut is not None:

            def through(socket: WebSocketRoute) -> None:
                socket.connect_to_server()
                cut.append(socket)

            page.route_web_socket(re.compile("/ws/matches/"), through)
        return page

    yield come
    for context in contexts:
        context.close()


def step(page: Page) -> int:
    """The frame that is shown."""
    return int(str(page.locator(".rp-count").text_content()).split("/")[0])


def beats_of(page: Page, match: str) -> list[int]:
    """The last frames of the beats that have been on air in the first game."""
    answer = page.request.get(f"{match}games/0/frames.json").json()
    return [beat[0] for beat in answer["beats"]]


def in_step(pages: list[Page], match: str) -> bool:
    """Whether all show what is on air to one beat."""
    steps = [step(page) for page in pages]
    beats = beats_of(pages[0], match)
    at = [next((n for n, last in enumerate(beats) if last >= one), len(beats)) for one in steps]
    return max(at) - min(at) <= 1 and len(beats) - 1 - min(at) <= 1


def goes_on(page: Page) -> None:
    seen = step(page)
    assert eventually(lambda: step(page) > seen)


def test_all_show_the_same_beat_however_they_came(viewer: Callable[..., Page], quiet_site: StartedSite) -> None:
    match = begin(quiet_site, elapsed=6)
    sockets: list[WebSocketRoute] = []
    early, astray, offline = viewer(), viewer(ahead=timedelta(hours=1)), viewer(cut=sockets)
    for page in (early, offline):
        page.goto(match)
    expect(early.locator(".rp-live")).to_have_text("On air")
    began = step(early)
    assert eventually(lambda: step(early) >= began + 4)
    astray.goto(match)  # late, and its clock is an hour ahead
    expect(astray.locator(".rp-live")).to_have_text("On air")
    everybody = [early, astray, offline]
    for _ in range(3):
        goes_on(early)
        assert eventually(lambda: in_step(everybody, match))

    # Cut off: it stands still, says so, and is back in step by itself.
    sockets[-1].close(code=1001)
    assert eventually(lambda: in_step(everybody, match) and len(sockets) == 2)

    # The server is killed. It comes back, and so does everybody, where the broadcast is then.
    os.kill(quiet_site.leader("uvicorn"), signal.SIGKILL)
    expect(early.locator(".rp-lost")).not_to_be_empty()
    expect(early.locator(".rp-lost")).to_be_empty()
    goes_on(early)
    assert eventually(lambda: in_step(everybody, match))


def test_a_game_shown_again_on_a_channel_is_in_step_for_whoever_comes(
    viewer: Callable[..., Page], quiet_site: StartedSite
) -> None:
    match, since = quiet_site.manage("shell", "-v0", "-c", ON_CHANNEL).strip().splitlines()[-1].split()
    pages = [viewer(), viewer(ahead=timedelta(hours=1)), viewer(ahead=timedelta(hours=-1))]
    for page in pages:
        page.goto(f"{match}?game=1&tempo=story&autoplay=1&since={since}")
        expect(page.get_by_role("button", name="Pause")).to_be_visible()
    told = pages[0].request.get(f"{match}games/0/frames.json").json()["beats"]
    firsts = [0, *(last + 1 for last, *_ in told)]
    beats = [
        Beat(first, last, kind, seat, ms, Weight(weight))
        for first, (last, kind, seat, ms, weight) in zip(firsts, told, strict=False)
    ]
    ends = list(accumulate(dwells(beats, Tempo.STORY)))

    def on(page: Page) -> tuple[int, int]:
        """The beat that is shown, and the one that everybody should be shown."""
        shown = step(page)
        return bisect_left([beat.last for beat in beats], shown), bisect_right(ends, time.time() * 1000 - int(since))

    for page in pages:
        shown, wanted = on(page)
        assert wanted > 5
        assert eventually(lambda page=page: abs(on(page)[0] - on(page)[1]) <= 1), (shown, wanted)


def test_those_who_wait_for_a_premiere_see_how_long_by_the_servers_clock(
    viewer: Callable[..., Page], quiet_site: StartedSite
) -> None:
    match = begin(quiet_site, elapsed=-60)
    pages = [viewer(), viewer(ahead=timedelta(hours=1)), viewer(ahead=timedelta(hours=-1))]
    for page in pages:
        page.goto(match)
        left = page.locator(".rp-premiere .number")
        expect(left).to_have_text(re.compile(r"^(1:00|0:[0-5]\d)$"))
    for page in pages:
        assert "worms" not in str(page.locator("match-replay").text_content())
