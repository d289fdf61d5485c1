"""Two web processes on one database and one Valkey: whichever dies, all who follow a page end with its newest cells."""

import asyncio
import json
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.arena.live_pages import LivePage, read
from tests.arena.test_serving import status
from tests.browser.running import free_port
from tests.matches.site import Site, kill_group
from tests.tournaments.test_told_besides import MARK, cells, texts
from tests.waiting import eventually_async
from web.live_deltas import STATE

pytestmark = [pytest.mark.processes, pytest.mark.postgres]

START = """
import django, json, sys
django.setup()
from django.urls import reverse
from tests.tournaments.factories import running_tournament
cup = running_tournament(int(sys.argv[1]), format="swiss", rounds=3)
print(json.dumps([reverse("tournaments:detail", args=[cup.slug]), cup.fixtures.count()]))
"""
# A match ends, and the task of the books is run as a worker does.
RESULT = """
import django
django.setup()
from tests.tournaments.factories import finish_matches
from tournaments.models import Tournament
from tournaments.tasks import match_finished
[match] = finish_matches(Tournament.objects.get(), most=1)
match_finished(match)
"""
FINISHED = re.compile(r"(\d+)\s+of\s+\d+\s+matches\s+finished")
UNKNOWN = "0" * 32


class WebProcess:
    """A web process on ``site``, which may be killed and started again."""

    def __init__(self, site: Site, program: str = "arena.serving") -> None:
        self._site = site
        self._port = free_port()
        self._command = (sys.executable, "-m", program, f"--port={self._port}")
        self.address = f"http://127.0.0.1:{self._port}"
        self.start()

    def start(self) -> None:
        self._process: subprocess.Popen[bytes] = self._site.start(*self._command)
        self._site.wait_for(lambda: status(f"{self.address}/readyz") == 200, 150)

    def kill(self) -> None:
        kill_group(self._process)
        assert self._process.returncode == -signal.SIGKILL, "it had ended before"


class Cup:
    """A tournament that is being played on a site, and how many of its matches have finished."""

    def __init__(self, site: Site, entries: int) -> None:
        self._site = site
        self.path, self.tables = json.loads(site.run("-c", START, str(entries)))
        self.finished = 0

    def page(self, web: WebProcess) -> LivePage:
        return LivePage(read(web.address + self.path)[1])

    async def result(self) -> None:
        """Another match of the first round ends."""
        self.finished += 1
        assert self.finished < self.tables
        await asyncio.to_thread(self._site.run, "-c", RESULT)

    async def have_come(self, pages: Sequence[LivePage], web: WebProcess) -> None:
        """Wait until all of ``pages`` follow by sockets of this process."""
        assert await eventually_async(lambda: all(page.at == web.address for page in pages))

    async def all_have_the_newest(self, pages: Sequence[LivePage], *webs: WebProcess) -> str:
        """Wait until each of ``pages`` shows what is told at any of ``webs`` to who asks now, and return its state."""
        newest = set[str]()

        def all_have_it() -> bool:
            told = [read(web.address + src) for web in webs for src in {page.src for page in pages}]
            # A large board is rendered a little later, and may be once more after that.
            if all(shown(html) == self.finished for _headers, html in told):
                newest.clear()
                newest.update(headers[STATE] for headers, _html in told)
            return len(newest) == 1 and {page.state for page in pages} == newest

        assert await eventually_async(all_have_it, 120, every=0.1)
        opened = texts(self.page(webs[0]).html)
        for html in {page.html for page in pages}:
            assert shown(html) == self.finished
            assert texts(MARK.sub("", html)) == opened
        return newest.pop()


def shown(html: str) -> int:
    """How many matches have finished, says a page."""
    [finished] = FINISHED.findall(cells(html)["tournament-progress"])
    return int(finished)


@pytest.fixture
def site() -> Iterator[Site]:
    # A socket's path must be short: pytest's own directories are not.
    with (
        tempfile.TemporaryDirectory(prefix="peck-") as directory,
        Site(Path(directory), DJANGO_SETTINGS_MODULE="tests.arena.page_settings") as site,
    ):
        yield site


async def test_who_loses_one_process_goes_on_at_the_other_with_the_state_they_have(site: Site) -> None:
    one, other = WebProcess(site), WebProcess(site)
    cup = Cup(site, 8)
    at_one, at_other = ([cup.page(web) for _ in range(3)] for web in (one, other))
    everybody = [*at_one, *at_other]
    late = cup.page(other)  # has its socket once two more results are there
    for page in everybody:
        page.come((one if page in at_one else other).address)
    await cup.have_come(at_one, one)
    await cup.have_come(at_other, other)

    begun = await cup.all_have_the_newest(everybody, one, other)
    await cup.result()
    first = await cup.all_have_the_newest(everybody, one, other)
    assert first != begun
    assert are_sent_alike(everybody, begun, first)

    other.kill()
    await cup.result()
    second = await cup.all_have_the_newest(at_one, one)
    for page in at_other:
        assert page.state == first
        page.come(one.address)
    await cup.have_come(at_other, one)
    assert second == await cup.all_have_the_newest(everybody, one)
    assert are_sent_alike(everybody, first, second)

    other.start()
    lost = cup.page(other)
    opened, lost.state = late.state, UNKNOWN
    for page in (late, lost):
        page.come(other.address)
    everybody += [late, lost]
    assert second == await cup.all_have_the_newest(everybody, one, other)
    assert late.pushed[opened, second] < lost.pushed[UNKNOWN, second], "not only what has changed"
    await cup.result()
    third = await cup.all_have_the_newest(everybody, one, other)
    assert are_sent_alike(everybody, second, third)
    assert [page.asked for page in everybody] == [0] * 8, "somebody had to ask"
    for page in everybody:
        page.leave()


def are_sent_alike(pages: Sequence[LivePage], had: str, got: str) -> bool:
    """Whether all were sent as much, over their sockets, for the way from one state to the next."""
    return len({page.pushed[had, got] for page in pages}) == 1


@pytest.mark.parametrize(("where", "entries"), [("push", 8), ("render", 52)])
async def test_what_a_process_had_rendered_and_not_sent_when_it_was_killed_comes_from_the_other(
    site: Site, where: str, entries: int
) -> None:
    killed, other = WebProcess(site, "tests.arena.held_cells"), WebProcess(site)
    cup = Cup(site, entries)
    pages = [cup.page(killed) for _ in range(4)]
    # Of a board one process renders, the other waits for it: that has to be the one which is killed.
    watching = [cup.page(other) for _ in range(2 if where == "push" else 0)]
    for page in pages:
        page.come(killed.address)
    for page in watching:
        page.come(other.address)
    await cup.have_come(pages, killed)
    await cup.have_come(watching, other)
    await cup.result()
    before = await cup.all_have_the_newest([*pages, *watching], killed, other)

    (site.directory / "hold").write_text(where)
    await cup.result()
    assert await eventually_async((site.directory / "held").exists)
    killed.kill()
    assert {page.state for page in pages} == {before}
    for page in pages:
        page.come(other.address)
    await cup.have_come(pages, other)
    await cup.all_have_the_newest([*pages, *watching], other)
    assert [page.asked for page in pages] == [0] * 4
    for page in [*pages, *watching]:
        page.leave()
