"""Request every address as every visitor, and measure processor time, queries and bytes."""

import json
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, Self

from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from arena.accounts.models import User
from bots.models import Bot
from hooks.models import Hook
from matches.models import Fault, Match
from tests.arena.test_every_address import NAMES
from tests.bots.test_permissions import token_of
from tournaments.models import Entry, Tournament
from tournaments.standings import RulingCode

VISITORS: Final = ("anonymous", "author", "organiser", "staff")
MOST: Final = {"ms": 50.0, "queries": 12, "kB": 200.0}
REPEATED: Final = 5
ENOUGH: Final = 1.0  # seconds for a row, after which it gets no more requests
FILES: Final = {  # names of the files of an address
    "tournaments:export": ("tournament.json", "standings.csv", "fixtures.csv", "proof.zip"),
    "tournaments:ratings-export": ("ratings.csv", "ratings.json"),
    "leagues:export": ("season.json", "ladder.csv", "matches.csv"),
}
PARTS_OF_FILES: Final = (
    "export",
    ".csv",
    ".json",
    ".zip",
    "report",
    "package",
    "record",
    "file",
    "-kit",
    "schema",
    "source",
    "peck",
)
SEARCHES: Final = {"search": "?q=bot", "matches:list": "?page=100", "tournaments:list": "?page=2"}
OF_STAGES: Final = (":bracket", ":report")  # addresses in which "number" is that of a stage
CUPS: Final = ("finished-swiss", "running-swiss", "knockout", "round-robin", "open-cup", "draft")
LOOP: Final = 20_000  # steps of a loop that measures the current speed of the machine


@dataclass(frozen=True, slots=True)
class PageRow:
    """The cost of an address. ``cold`` is measured with empty caches, ``ms`` is the median of the later requests; both
    are processor time. ``loop`` is the time of a fixed loop measured along with them, in ms. ``is_kept``: a file, not a
    page."""

    name: str
    visitor: str
    address: str
    status: int
    ms: float
    cold: float
    queries: int
    kb: float
    loop: float

    @property
    def is_file(self) -> bool:
        return is_file(self.name)

    @property
    def over(self) -> float:
        """The largest ratio of a figure to its budget."""
        return max(self.ms / MOST["ms"], self.queries / MOST["queries"], self.kb / MOST["kB"])

    def at_pace(self, loop: float) -> Self:
        """Return the row scaled to a machine on which the loop takes ``loop`` ms."""
        share = loop / self.loop
        return replace(self, ms=self.ms * share, cold=self.cold * share, loop=loop)


def is_file(name: str) -> bool:
    """Return whether the address with this name sends a file, not a page."""
    return any(part in name for part in PARTS_OF_FILES)


class Site:
    """The people and objects whose addresses are requested."""

    def __init__(self) -> None:
        self._people = {who: User.objects.get(username=who) for who in VISITORS[1:]}
        self._tokens = {who: token_of(person) for who, person in self._people.items()}
        self._author = self._people["author"]
        self._bot = Bot.objects.filter(owner=self._author).order_by("pk")[0]
        own = Match.objects.filter(seats__version__bot=self._bot)
        self._match = own.filter(games__faults__in=Fault.objects.all()).order_by("pk")[0]
        self._hook = Hook.objects.filter(owner=self._author).order_by("pk")[0]

    def addresses(self, wanted: str = "") -> Iterator[tuple[str, str]]:
        """Yield names and addresses: for each kind of tournament, and for each name of a file."""
        for name in NAMES:
            if wanted not in name:
                continue
            room = name.partition(":")[0].removeprefix("api-")
            if room == "tournaments" and "slug" in NAMES[name]:
                for slug in CUPS:
                    arguments = self._in_cup(slug, of_stage=name.endswith(OF_STAGES))
                    kinds = list(RulingCode) if "kind" in NAMES[name] else [""]
                    for kind in kinds:
                        yield from self._of(name, slug, {**arguments, "kind": kind})
            else:
                slug = {"leagues": "ladder", "bots": self._bot.slug, "api": self._bot.slug}.get(room, "none")
                yield from self._of(name, slug, {})
        yield from ((f"{name} {query}", reverse(name) + query) for name, query in SEARCHES.items() if wanted in name)

    def _of(self, name: str, slug: str, more: dict[str, Any]) -> Iterator[tuple[str, str]]:
        for file in FILES.get(name, ("pickomino",)):
            arguments = {
                "pk": self._hook.pk if name.startswith(("hooks", "api-hooks")) else self._match.pk,
                "number": 1,
                "index": 0,
                "stage": "mirror",
                "username": self._author.username,
                "bot": self._bot.slug,
                "match_number": 1,
                "version": 1,
                "form": "svg" if name == "matches:picture" else "json",
                "slug": slug,
                "name": file,
                **more,
            }
            if set(NAMES[name]) <= set(arguments):
                label = f"{name} {file}" if name in FILES else f"{name} {more.get('kind', '')}".rstrip()
                label = f"{label} ({slug})" if slug in CUPS else label
                yield label, reverse(name, kwargs={argument: arguments[argument] for argument in NAMES[name]})

    def _in_cup(self, slug: str, *, of_stage: bool) -> dict[str, Any]:
        cup = Tournament.objects.get(slug=slug)
        entry = Entry.objects.filter(tournament=cup).order_by("pk").first()
        last = 1 if of_stage else cup.rounds.order_by("-number").values_list("number", flat=True).first() or 1
        return {"entry_id": entry.pk if entry else 0, "number": last, "pair_id": 1, "user_id": self._author.pk}

    def request(self, name: str, address: str, visitor: str) -> Callable[[], Any]:
        client, headers = Client(raise_request_exception=False), {}
        if name.startswith("api") and visitor in self._tokens:
            headers = {"authorization": f"Token {self._tokens[visitor]}"}
        elif visitor in self._people:
            client.force_login(self._people[visitor])
        return lambda: client.get(address, headers=headers)


class RowsKept(dict[tuple[str, str], PageRow | None]):
    """Rows by name and visitor, None if there is no page. With ``file``, each is also written there at once."""

    def __init__(self, file: Path | None) -> None:
        super().__init__()
        self._file = file
        for line in file.read_text().splitlines() if file and file.exists() else ():
            name, visitor, row = json.loads(line)
            super().__setitem__((name, visitor), row and PageRow(**row))

    def __setitem__(self, key: tuple[str, str], row: PageRow | None) -> None:
        super().__setitem__(key, row)
        if self._file:
            with self._file.open("a") as file:
                print(json.dumps([*key, row and asdict(row)]), file=file)


def measured(name: str, address: str, visitor: str, request: Callable[[], Any]) -> PageRow | None:
    """Return the row of an address; None if the visitor gets no page."""
    for one in caches.all():
        one.clear()
    answer, cold = _timed(request)
    if answer.status_code not in (200, 202):
        if answer.status_code >= 500:
            print(f"{name} as {visitor}: {answer.status_code}")
        return None
    with CaptureQueriesContext(connection) as queries:
        size = len(_body(request()))
    executed = len(queries)  # the next request clears them
    times, loops = list[float](), [_loop()]
    while len(times) < REPEATED and sum(times) < ENOUGH:
        times.append(_timed(request)[1])
        loops.append(_loop())
    ms, cold_ms, loop_ms = (1000 * one for one in (statistics.median(times), cold, statistics.median(loops)))
    return PageRow(name, visitor, address, answer.status_code, ms, cold_ms, executed, size / 1000, loop_ms)


def _loop() -> float:
    begun = time.process_time()
    found: dict[int, str] = {}
    for number in range(LOOP):
        found[number % 512] = str(number)
    return time.process_time() - begun


def _timed(request: Callable[[], Any]) -> tuple[Any, float]:
    begun = time.process_time()
    answer = request()
    _body(answer)
    return answer, time.process_time() - begun


def _body(answer: Any) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def table(rows: list[PageRow]) -> str:
    """Return the table of rows, worst first, and the number that exceed the budget. Files, which may be large, are
    listed separately. Times are scaled to the tenth percentile of the loop, because other loads increase processor
    time."""
    if not rows:
        return "nothing was found"
    loops = sorted(row.loop for row in rows)
    loop = loops[len(loops) // 10]
    rows = [row.at_pace(loop) for row in rows]
    head = f"{'over':>5} {'ms':>7} {'cold':>7} {'queries':>7} {'kB':>7}  who        what"
    lines = [f"the loop: {loop:.2f} ms; {loops[len(loops) // 2]:.2f} half of the time, {loops[-1]:.2f} at worst", head]
    for files in (False, True):
        chosen = sorted((row for row in rows if row.is_file is files), key=lambda row: -row.over)
        over = sum(row.over > 1 for row in chosen)
        lines.append(f"-- {'files' if files else 'pages and lists'}: {len(chosen)}, {over} over the budget")
        lines += [
            f"{row.over:5.1f} {row.ms:7.1f} {row.cold:7.1f} {row.queries:7} {row.kb:7.1f}  {row.visitor:10} {row.name}"
            for row in chosen
        ]
    return "\n".join(lines)
