"""Compare the responses of all addresses with those of another commit, for changes that must not change responses.

``python -m benchmarks.golden_pages [BASE]`` (``make golden-pages BASE=COMMIT``; by default BASE is HEAD) builds the
same three sites with the code of a worktree of BASE and with this checkout: one where everything is public, one with a
hidden tournament and a private group, and one with drafts. It requests every address as each of ``ROLES``, in English
and, for translated pages, in German, and sends an empty form to each. It prints the number of equal responses, and the
first differing line of the others; the exit code is 1 if there are any.

Clock and randomness are the same in both runs, and every request is rolled back, so that responses do not depend on
each other. The sites come from each commit's own tests (``whole_site``, ``World``). Responses that contain the code,
such as ``peck.pyz``, differ whenever it changes. Responses are stored in ``.golden_pages`` with an ``index.json``;
those of a commit are computed once.
"""

import datetime
import hashlib
import io
import itertools
import json
import logging
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
STORED: Final = ROOT / ".golden_pages"
NOW: Final = datetime.datetime(2026, 3, 2, 12, tzinfo=datetime.UTC)
ROLES: Final = ("anonymous", "other", "owner", "member", "arbiter", "organiser", "staff")
SITES: Final = ("public", "hidden", "draft")
REQUESTS: Final = (("get", "en"), ("get", "de"), ("post", "en"))
# The first two are computed from the body before masking; the last one is random.
HEADERS_LEFT_OUT: Final = frozenset(("Content-Length", "ETag", "X-Request-ID"))
# Random by design, or derived from the content of a file. How often a request draws random bytes must not matter.
MASKS: Final = (
    (re.compile(rb'(name="csrfmiddlewaretoken" value=")[^"]+'), rb"\1CSRF"),
    (re.compile(rb'(data-csrf(?:-token)?=")[^"]+'), rb"\1CSRF"),
    (re.compile(rb"nonce-[\w+/=-]+"), b"nonce-NONCE"),
    (re.compile(rb"(/static/[\w./-]+)\.[0-9a-f]{12}(\.\w+)"), rb"\1\2"),
    (re.compile(rb"\b(kit|worker|snapshot|editor)-[0-9a-f]{16}\."), rb"\1-DIGEST."),
    (re.compile(rb'(/kit-DIGEST\.zip": )\[\d+, \d+\]'), rb"\1[SIZE]"),
    (re.compile(rb"(#sha256=)[0-9a-f]{64}"), rb"\1DIGEST"),
)
SHOWN: Final = 60  # groups of differences
WIDTH: Final = 150  # characters of a line


@dataclass(frozen=True, slots=True)
class Site:
    """A site to request: its people by role, and its addresses by name."""

    people: Mapping[str, Any]
    addresses: Mapping[str, str]


class RandomBytes:
    """A substitute for ``os.urandom`` that returns the same bytes after the same seed."""

    def __init__(self) -> None:
        self.seed("")

    def seed(self, text: str) -> None:
        self._source = random.Random(text)
        random.seed(text)

    def __call__(self, size: int) -> bytes:
        return self._source.randbytes(size)


def read(folder: Path) -> None:
    """Write the responses of the checkout in the import path to ``folder``. Call it in a new process, before Django."""
    import pytest  # not installed on sites

    random_bytes, seconds, ticks = RandomBytes(), NOW.timestamp(), itertools.count()
    patch = pytest.MonkeyPatch()
    for clock in ("time", "thread_time"):
        patch.setattr(time, clock, lambda: seconds)
    # The clock is so slow that every duration is 0, but every wait ends.
    patch.setattr(time, "monotonic", lambda: seconds + next(ticks) / 1e6)
    patch.setattr(time, "sleep", lambda _seconds: None)
    patch.setattr(os, "urandom", random_bytes)
    patch.setattr(random, "_urandom", random_bytes)
    import django

    django.setup()
    logging.disable()  # refusals are expected
    _prepare_django(patch)
    index: dict[str, str] = {}
    for name in SITES:
        random_bytes.seed(name)
        for key, answer in _answers(name, random_bytes):
            digest = index[key] = hashlib.sha256(answer).hexdigest()[:24]
            folder.joinpath(digest).write_bytes(answer)
    folder.joinpath("index.json").write_text(json.dumps(index))


def _prepare_django(patch: Any) -> None:
    """Freeze Django's clocks, and create an empty database in memory."""
    from django.conf import settings
    from django.db.models.functions import Now
    from django.test.utils import setup_databases
    from django.utils import timezone

    class AnyDatetime(type):
        def __instancecheck__(cls, one: object) -> bool:
            return isinstance(one, datetime.datetime)

    class Frozen(datetime.datetime, metaclass=AnyDatetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return datetime.datetime.fromtimestamp(NOW.timestamp(), tz)

    class NoMigrations(dict[str, None]):
        def __contains__(self, _label: object) -> bool:
            return True

        def __missing__(self, _label: str) -> None:
            return None

    patch.setattr(timezone, "datetime", Frozen)
    patch.setattr(Now, "as_sqlite", lambda *_given, **_context: (f"'{NOW:%Y-%m-%d %H:%M:%S.000}'", []))
    patch.setattr(settings, "MIGRATION_MODULES", NoMigrations())
    patch.setattr("celery.Celery.send_task", lambda *_given, **_named: None)
    patch.setattr("web.brief_cache.CACHED_SECONDS", 0)
    setup_databases(verbosity=0, interactive=False, serialized_aliases=set())


def _answers(name: str, random_bytes: RandomBytes) -> Iterator[tuple[str, bytes]]:
    """Yield each response of a site with its key "site/role/method/language/address"."""
    from django.core.cache import caches
    from django.db import transaction

    from tests.arena.visitors import Visitors
    from tests.bots.test_permissions import token_of

    with transaction.atomic():
        site, visitors = _site(name), Visitors()
        for person in filter(None, site.people.values()):
            visitors.client(person)  # signs in
        for address, path in site.addresses.items():
            for role, person in site.people.items():
                has_page = False
                for method, language in REQUESTS:
                    if language != "en" and not has_page:
                        continue
                    key = f"{name}/{role}/{method}/{language}/{address}"
                    random_bytes.seed(key)
                    for cache in caches.all():
                        cache.clear()
                    with transaction.atomic():
                        by_token = person is not None and address.startswith("api")
                        headers = {"accept-language": language}
                        headers |= {"authorization": f"Token {token_of(person)}"} if by_token else {}
                        client = visitors.client(None if by_token else person)
                        response = getattr(client, method)(path, headers=headers)
                        yield key, _written(response)
                        transaction.set_rollback(True)
                    has_page |= response.headers.get("Content-Type", "").startswith("text/html")
        transaction.set_rollback(True)


def _site(name: str) -> Site:
    """Build a site in the database."""
    from arena.accounts.models import User
    from groups.models import Group
    from tests.arena.answers import DRAFTS, read_table
    from tests.arena.factories import UserFactory
    from tests.arena.test_every_address import NAMES, address, whole_site
    from tests.arena.test_who_sees_what import World
    from tests.groups.factories import member_in
    from tournaments.models import Tournament

    address_of: Callable[[str], str]
    if name == "public":
        site = whole_site()
        owner, cup, group = (site["people"]["author"], *(site["slugs"][room] for room in ("tournaments", "groups")))
        names, address_of = [*NAMES], lambda one: address(one, site)
    else:
        world = World()
        draft = name == "draft"
        owner, cup, group = "author", (world.draft if draft else world.hidden).slug, world.group["slug"]
        names = [*read_table(DRAFTS)] if draft else [*NAMES]
        address_of = lambda one: world.address(one, draft=draft)  # noqa: E731
    people = {}
    for role in ROLES[1:]:
        username = owner if role == "owner" else role
        people[role] = User.objects.filter(username=username).first() or UserFactory(username=username)
    Tournament.objects.get(slug=cup).arbiters.add(people["arbiter"])
    member_in(Group.objects.get(slug=group), people["member"])
    return Site({"anonymous": None, **people}, {one: address_of(one) for one in names})


def _written(response: Any) -> bytes:
    """Return status, headers and body of a response, masked for the comparison."""
    body = b"".join(response.streaming_content) if response.streaming else response.content
    if response.headers.get("Content-Type") == "application/zip":
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            body = b"\n".join(b"%s\n%s" % (one.encode(), archive.read(one)) for one in archive.namelist())
    head = [f"{name}: {value}" for name, value in sorted(response.items()) if name not in HEADERS_LEFT_OUT]
    head += [f"Cookie: {name}" for name in sorted(response.cookies)]
    answer = "\n".join([str(response.status_code), *head, "", ""]).encode() + body
    for pattern, instead in MASKS:
        answer = pattern.sub(instead, answer)
    return answer


def reading_of(checkout: Path, folder: Path) -> Path:
    """Let the code of a checkout write its responses to ``folder``, in a new process."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    environment = os.environ | {
        "PYTHONPATH": f"{checkout / 'platform'}{os.pathsep}{checkout}",
        "PYTHONHASHSEED": "0",
        "DJANGO_SETTINGS_MODULE": "arena.settings.test",
    }
    # -P: the folder of this file has modules with the names of rooms.
    command = [str(checkout / ".venv/bin/python"), "-P", str(Path(__file__).resolve()), "--read", str(folder)]
    subprocess.run(command, cwd=checkout, env=environment, check=True)
    return folder


def reading_of_commit(base: str) -> Path:
    """Return the folder with the responses of a commit. They are computed unless they are stored."""
    commit = _git("rev-parse", "--short=12", f"{base}^{{commit}}")
    folder = STORED / f"{commit}-{hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:8]}"
    if folder.joinpath("index.json").exists():
        return folder
    with tempfile.TemporaryDirectory() as temporary:
        checkout = Path(temporary, "base")
        _git("worktree", "add", "--detach", "--quiet", str(checkout), commit)
        try:
            checkout.joinpath(".venv").symlink_to(sys.prefix)
            return reading_of(checkout, folder)
        finally:
            _git("worktree", "remove", "--force", str(checkout))


def _git(*arguments: str) -> str:
    ended = subprocess.run(["git", *arguments], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    return ended.stdout.strip()


def compare(before: Path, after: Path) -> int:
    """Print the differences between two runs. Return the number of differing responses."""
    old, new = (json.loads(one.joinpath("index.json").read_text()) for one in (before, after))
    counts: dict[str, Counter[str]] = {site: Counter() for site in SITES}
    addresses: dict[str, set[str]] = {site: set() for site in SITES}
    differ: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for key in sorted(old.keys() | new.keys()):
        site, rest = key.split("/", 1)
        address = rest.rpartition("/")[2]
        addresses[site].add(address)
        if old.get(key) == new.get(key):
            counts[site]["equal"] += 1
        elif key in old and key in new:
            counts[site]["different"] += 1
            line = _first_difference(*((one / index[key]).read_bytes() for one, index in ((before, old), (after, new))))
            differ[address, line].append(key)
        else:
            counts[site]["only in one"] += 1
            differ[address, "only before" if key in old else "only after"].append(key)
    for site, found in counts.items():
        sentence = ", ".join(f"{found[what]} {what}" for what in ("equal", "different", "only in one"))
        print(f"{site:8} {len(addresses[site])} addresses as {len(ROLES)} roles: {found.total()} answers, {sentence}")
    for (address, line), keys in sorted(differ.items(), key=lambda one: -len(one[1]))[:SHOWN]:
        print(f"\n{address}: {len(keys)} answers, such as {keys[0].rpartition('/')[0]}\n{line}")
    if len(differ) > SHOWN:
        print(f"\nand {len(differ) - SHOWN} more differences")
    return sum(map(len, differ.values()))


def _first_difference(before: bytes, after: bytes) -> str:
    old, new = before.splitlines(), after.splitlines()
    line = next((at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), None)
    line = min(len(old), len(new)) if line is None else line
    one, other = ((lines[line] if line < len(lines) else b"").decode(errors="replace") for lines in (old, new))
    alike = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    begin = max(0, sum(1 for _ in alike) - WIDTH // 3)
    return f"  line {line + 1}\n  - {one[begin : begin + WIDTH]}\n  + {other[begin : begin + WIDTH]}"


if __name__ == "__main__":
    if sys.argv[1:2] == ["--read"]:
        read(Path(sys.argv[2]))
    else:
        since = time.monotonic()
        with ThreadPoolExecutor() as both:
            before = both.submit(reading_of_commit, sys.argv[1] if len(sys.argv) > 1 else "HEAD")
            after = both.submit(reading_of, ROOT, STORED / "here")
        different = compare(before.result(), after.result())
        print(f"\nread in {time.monotonic() - since:.0f} s")
        sys.exit(1 if different else 0)
