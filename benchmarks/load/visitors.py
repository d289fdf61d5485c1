"""Visitors of pages: anonymous readers with a fixed rate of requests, and authors who sign in and upload.

The load is open: requests are sent at their scheduled times, and durations count from then. A slow site does not get
fewer requests, unlike with tools whose users wait for an answer before they send the next request.
"""

import asyncio
import random
import re
import ssl
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any, Final

import httpx

from benchmarks.load.figures import Notes
from benchmarks.pages.measuring import PARTS_OF_FILES

PATIENCE: Final = 20.0  # seconds after the scheduled time, until a visitor gives up
HOMES: Final = 200  # IP addresses of anonymous visitors, because limits apply to an address
TOKEN: Final = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
SOURCE: Final = b"def act(view):\n    return view['actions'][-1]\n# of author %d\n"
LOOKS: Final = 5  # pages that each author reads, besides signing in and uploading
FILES: Final = "files"
NO_TLS: Final = ssl.create_default_context()  # shared: creating one blocks the event loop for 20 ms
FILE_VIEWS: Final = 0.05  # share of the requests of anonymous visitors


@dataclass(frozen=True, slots=True)
class Address:
    """A path, and the group under which it is counted."""

    group: str
    path: str

    @classmethod
    def of(cls, name: str, path: str) -> "Address":
        room = name.partition(":")[0] if ":" in name else "site"
        return cls(FILES if any(part in name for part in PARTS_OF_FILES) else room, path)


async def send(
    client: httpx.AsyncClient, notes: Notes, group: str, due: float, **request: Any
) -> httpx.Response | None:
    """Send a request, and record its duration since it was ``due``. Return None if it failed."""
    try:
        async with asyncio.timeout(max(0.0, due + PATIENCE - time.perf_counter())):
            answer = await client.request(**request)
    except TimeoutError:
        notes.fail(group, "no answer in time")
        return None
    except httpx.HTTPError as error:
        notes.fail(group, type(error).__name__)
        return None
    if answer.status_code >= 400:
        notes.fail(group, str(answer.status_code))
        return None
    notes.note(group, time.perf_counter() - due)
    return answer


async def answering(url: str, addresses: Sequence[Address]) -> list[Address]:
    """Return the addresses that show a page to anonymous visitors. This also warms caches."""
    found = []
    async with httpx.AsyncClient(base_url=url, timeout=60) as client:
        for address in addresses:
            answer = await client.get(address.path)
            if answer.status_code == 200:
                found.append(address)
    return found


async def anonymous_visitors(
    url: str, addresses: Sequence[Address], notes: Notes, *, a_minute: float, until: float, rng: random.Random
) -> None:
    """Request pages at random, ``a_minute`` per minute, and sometimes a file, until the ``perf_counter`` time
    ``until``."""
    files = [address for address in addresses if address.group == FILES]
    pages = [address for address in addresses if address.group != FILES]
    async with AsyncExitStack() as homes, asyncio.TaskGroup() as group:
        clients = [await homes.enter_async_context(_client(url, f"127.0.3.{1 + n}")) for n in range(HOMES)]
        due = time.perf_counter()
        while due < until:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            address = rng.choice(files if files and rng.random() < FILE_VIEWS else pages)
            client = rng.choice(clients)
            client.cookies.clear()  # a new visitor with the same IP address
            group.create_task(send(client, notes, address.group, due, method="GET", url=address.path))
            due += rng.expovariate(a_minute / 60)


def _client(url: str, address: str) -> httpx.AsyncClient:
    """Return a client with the IP address ``address``, to which limits apply."""
    limits = httpx.Limits(max_keepalive_connections=2)
    here = httpx.AsyncHTTPTransport(verify=NO_TLS, local_address=address, limits=limits)
    return httpx.AsyncClient(base_url=url, timeout=PATIENCE, follow_redirects=True, transport=here)


async def author(url: str, number: int, name: str, password: str, notes: Notes, *, begin: float, step: float) -> None:
    """Sign in, upload a new bot and read pages about it: one request every ``step`` seconds from ``begin`` on."""
    client = _client(url, f"127.0.{1 + number // 250}.{1 + number % 250}")
    due = begin

    async def do(group: str, **request: Any) -> httpx.Response | None:
        nonlocal due
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        answer = await send(client, notes, f"authors: {group}", max(due, time.perf_counter()), **request)
        due += step
        return answer

    async with client:
        form = await do("forms", method="GET", url="/accounts/login/")
        entered = {"login": name, "password": password}
        home = form and await do("sign in", method="POST", url="/accounts/login/", data=entered | _token(form))
        if home is None or str(home.url).endswith("/login/"):
            notes.fail("authors: sign in", "not signed in")
            return
        form = await do("forms", method="GET", url="/bots/new/")
        bot = {"name": f"Visitor {number}", "game": "pickomino", "blurb": ""}
        file = {"file": ("bot.py", SOURCE % number, "text/x-python")}
        page = form and await do("upload", method="POST", url="/bots/new/", data=bot | _token(form), files=file)
        if page is None or page.url.path == "/bots/new/":
            notes.fail("authors: upload", "not taken")
            return
        for path in (page.url.path, "/bots/", f"/accounts/people/{name}/", "/", page.url.path)[:LOOKS]:
            await do("own pages", method="GET", url=path)


def _token(page: httpx.Response) -> dict[str, str]:
    found = TOKEN.search(page.text)
    return {"csrfmiddlewaretoken": found[1]} if found else {}
