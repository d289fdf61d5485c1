"""A broadcast in two browsers: one late, one whose clock is an hour off, both cut off for a while, and in step."""

import json
import os
import re
import signal
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from itertools import accumulate

import pytest
from playwright.sync_api import Browser, Page, Response, WebSocketRoute, expect

from games.beats import Beat, Tempo, Weight, beat_durations
from tests.browser.chromium import NO_FADE, WAIT_MS
from tests.browser.running import Site, StartedSite
from tests.waiting import eventually

pytestmark = [pytest.mark.browser, pytest.mark.postgres, pytest.mark.timeout(420)]

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
    printed = running.manage("shell", "-v0", "-c", f"ELAPSED = {elapsed}\n{ON_AIR}")
    return f"/matches/{printed.strip().splitlines()[-1]}/"


@pytest.fixture
def viewer(browser: Browser, quiet_site: Site) -> Iterator[Callable[..., Page]]:
    contexts = []

    def come(*, ahead: timedelta | None = None, cut: list[WebSocketRoute] | None = None) -> Page:
        context = browser.new_context(base_url=quiet_site.url, viewport={"width": 1280, "height": 900})
        context.set_default_timeout(WAIT_MS)
        context.add_init_script(NO_FADE)
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
    """The frame that is shown, 0 before any is."""
    return int(str(page.locator(".rp-count").text_content()).split("/")[0] or 0)


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
    before = step(page)
    assert eventually(lambda: step(page) > before)


def test_all_show_the_same_beat_however_they_came(viewer: Callable[..., Page], quiet_site: StartedSite) -> None:
    match = begin(quiet_site, elapsed=6)
    sockets: list[WebSocketRoute] = []
    early, astray, offline = viewer(), viewer(ahead=timedelta(hours=1)), viewer(cut=sockets)
    for page in (early, offline):
        page.goto(match)
    expect(early.locator(".rp-live")).to_be_visible()
    began = step(early)
    assert eventually(lambda: step(early) >= began + 4)
    astray.goto(match)  # late, and its clock is an hour ahead
    expect(astray.locator(".rp-live")).to_be_visible()
    everybody = [early, astray, offline]
    for _ in range(3):
        goes_on(early)
        assert eventually(lambda: in_step(everybody, match))

    # Cut off: it stands still, says so, and is back in step by itself.
    sockets[-1].close(code=1001)
    assert eventually(lambda: in_step(everybody, match) and len(sockets) > 1)

    # The server is killed. It comes back, and so does everybody, where the broadcast is then.
    os.kill(quiet_site.leader("web server"), signal.SIGKILL)
    expect(early.locator(".rp-lost")).not_to_be_empty()
    expect(early.locator(".rp-lost")).to_be_empty()
    goes_on(early)
    assert eventually(lambda: in_step(everybody, match))


@pytest.mark.slow  # a minute is a minute
def test_a_viewer_is_in_step_at_once_after_a_minute_offline(
    viewer: Callable[..., Page], quiet_site: StartedSite
) -> None:
    match = begin(quiet_site, elapsed=6)
    early, offline, late = viewer(), viewer(), viewer(ahead=timedelta(hours=1))
    for page in (early, offline):
        page.goto(match)
        expect(page.locator(".rp-live")).to_be_visible()
    assert eventually(lambda: in_step([early, offline], match))

    cut = time.monotonic()
    offline.context.set_offline(True)
    expect(offline.locator(".rp-lost")).not_to_be_empty(timeout=10_000)
    stopped_at, beats = step(offline), len(beats_of(early, match))
    late.goto(match)  # and its clock is an hour ahead
    expect(late.locator(".rp-live")).to_be_visible()
    assert eventually(lambda: time.monotonic() >= cut + 60)
    assert step(offline) <= stopped_at + 1
    assert len(beats_of(early, match)) > beats + 10

    # As soon as there is a network again, and not after the pause of the last attempt that failed.
    offline.context.set_offline(False)
    expect(offline.locator(".rp-lost")).to_be_empty(timeout=10_000)
    for _ in range(3):
        goes_on(early)
        assert eventually(lambda: in_step([early, offline, late], match))


def test_a_rerun_on_a_channel_is_in_step_for_late_viewers(viewer: Callable[..., Page], quiet_site: StartedSite) -> None:
    match, since = quiet_site.manage("shell", "-v0", "-c", ON_CHANNEL).strip().splitlines()[-1].split()
    pages = [viewer(), viewer(ahead=timedelta(hours=1)), viewer(ahead=timedelta(hours=-1))]
    for page in pages:
        page.goto(f"{match}?game=1&tempo=story&autoplay=1&since={since}")
        expect(page.get_by_role("button", name="Pause")).to_be_visible()
    data = pages[0].request.get(f"{match}games/0/frames.json").json()["beats"]
    firsts = [0, *(last + 1 for last, *_ in data)]
    beats = [
        Beat(first, last, kind, seat, ms, Weight(weight))
        for first, (last, kind, seat, ms, weight) in zip(firsts, data, strict=False)
    ]
    ends = list(accumulate(beat_durations(beats, Tempo.STORY)))

    def on(page: Page) -> tuple[int, int]:
        """The beat that is shown, and the one that everybody should be shown."""
        shown = step(page)
        return bisect_left([beat.last for beat in beats], shown), bisect_right(ends, time.time() * 1000 - int(since))

    for page in pages:
        shown, wanted = on(page)
        assert wanted > 5
        assert eventually(lambda page=page: abs(on(page)[0] - on(page)[1]) <= 1), (shown, wanted)

    # A browser that was busy for some beats is in step again, and who takes the controls is not moved any more.
    busy = pages[0]
    busy.evaluate("() => { const until = performance.now() + 6_000; while (performance.now() < until); }")
    assert eventually(lambda: abs(on(busy)[0] - on(busy)[1]) <= 1), on(busy)
    assert bisect_right(ends, time.time() * 1000 - int(since)) < len(beats)
    busy.get_by_role("button", name="Pause").click()
    stays = step(busy)
    assert eventually(lambda: on(busy)[1] > on(busy)[0] + 2)
    assert step(busy) == stays


def test_the_countdown_of_a_premiere_uses_the_clock_of_the_server(
    viewer: Callable[..., Page], quiet_site: StartedSite
) -> None:
    match = begin(quiet_site, elapsed=-540)
    pages = [viewer(), viewer(ahead=timedelta(hours=1)), viewer(ahead=timedelta(hours=-1))]
    for page in pages:
        page.goto(match)
        left = page.locator(".rp-premiere .number")
        expect(left).to_have_text(re.compile(r"^(9:00|[0-8]:[0-5]\d)$"))
    for page in pages:
        assert "worms" not in str(page.locator("match-replay").text_content())


MOVE = """
from datetime import timedelta
from django.utils import timezone
from matches.airing.services import broadcast_premiere_move
from matches.models import Match
soon = timezone.now() + timedelta(seconds=4)
assert broadcast_premiere_move(matches=Match.objects.filter(pk=PK), premieres_at=soon) == 1
"""
ALL_OF_IT = """
import json
from matches.models import Match
from matches.replay.frame_encoding import frame_encoding_of_record
games = Match.objects.get(pk=PK).games.order_by("index")
batches = [frame_encoding_of_record(game.index, bytes(game.record)) for game in games]
print(json.dumps([[list(batch.frames), [beat.last for beat in batch.beats]] for batch in batches]))
"""
ADDRESSES = ("/", "/watch/", "/matches/", "/api/matches/", "/watch/timetable.ics", "/search/?q=bot")


class Wire:
    """All that a browser is sent: every answer, and every message of a socket, which may be cut off for a while."""

    def __init__(self, page: Page) -> None:
        self.page, self.cut = page, False
        self._messages: list[str | bytes] = []
        self._answers: list[Response] = []
        self._sockets: list[WebSocketRoute] = []
        page.on("response", lambda answer: self._answers.append(answer))
        page.route_web_socket(re.compile("/ws/"), self._through)

    def _through(self, socket: WebSocketRoute) -> None:
        if self.cut:
            socket.close(code=1001)
            return
        server = socket.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            self._messages.append(message)
            socket.send(message)

        server.on_message(pass_on)
        self._sockets.append(socket)

    def go_dark(self) -> None:
        self.cut = True
        self._sockets[-1].close(code=1001)

    def read(self) -> bytes:
        """Everything so far."""
        bodies = [answer.body() for answer in self._answers if answer.status == 200]
        return b"\n".join([*bodies, *(one.encode() if isinstance(one, str) else one for one in self._messages)])


def test_a_premiere_watched_by_two_reveals_no_future_frame(viewer: Callable[..., Page], quiet_site: Site) -> None:
    match = begin(quiet_site, elapsed=-600)
    pk = match.strip("/").split("/")[-1]
    wires = [Wire(viewer()), Wire(viewer())]
    pages = [wire.page for wire in wires]
    for page in pages:
        page.goto(match)
        expect(page.locator(".rp-premiere .number")).to_be_visible()
    quiet_site.manage("shell", "-v0", "-c", f"PK = {pk}\n{MOVE}")  # while people wait
    for page in pages:
        expect(page.locator(".rp-premiere")).to_be_hidden()
    assert eventually(lambda: step(pages[0]) > 3 and in_step(pages, match))

    # One of them hears nothing for some beats; it says so, and is back in step by itself.
    wires[1].go_dark()
    expect(pages[1].locator(".rp-lost")).not_to_be_empty()
    left = step(pages[1])
    assert eventually(lambda: step(pages[0]) > left + 6)
    wires[1].cut = False
    assert eventually(lambda: in_step(pages, match))

    lists = [pages[0].request.get(address).body() for address in (*ADDRESSES, f"/api/matches/{pk}/")]
    shown = min(step(page) for page in pages)  # before the bytes are read, for time goes on
    received = [wire.read() for wire in wires]
    latest = max(step(page) for page in pages)
    games = json.loads(quiet_site.manage("shell", "-v0", "-c", f"PK = {pk}\n{ALL_OF_IT}").strip().splitlines()[-1])
    (first, last_frames), *others = games
    begun = next(last for last in last_frames if last >= latest)
    future = set(first).union(*(frames for frames, _ in others)) - set(first[: begun + 1])
    assert all(first[shown].encode() in wire for wire in received)  # it is searched as it would be written
    assert len(future) > 50
    found = {frame for frame in future if any(frame.encode() in text for text in (*received, *lists))}
    assert found == set()
    assert not re.search(rb'"(score|game_points|place)": ?[0-9]', lists[-1])
