"""Read every address of a site as visitors do, in the checkout that this runs in. No model of ours is known here.

``python reading.py LIST OUT MOST VISITOR ...``: the addresses in the file LIST, or, where it is not there, those that
are found by following links from the first pages on, at most MOST for each VISITOR, "anonymous" or a user name; what
was answered goes to OUT, a line of JSON each.
"""

import datetime
import hashlib
import html
import json
import os
import re
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final
from unittest import mock
from urllib.parse import urldefrag, urljoin, urlsplit

START: Final = ("/", "/api/", "/api/matches/", "/api/tournaments/", "/api/bots/", "/api/leagues/")
HOST: Final = "localhost"
NOT_READ: Final = re.compile(r"^/(static|admin|i18n|operations)/|/(logout|sign-out)/")
LINK: Final = re.compile(r"""(?:href|src|data-[\w-]+)="([^"]+)\"""")
FILE: Final = re.compile(r"record|proof|export|\.(csv|json|ics|zip|html)$")  # read first: what people keep
ADDRESS: Final = re.compile(r"(https?:/)?/")
# Their text says how long ago that was.
TIME: Final = re.compile(r"""<time\b[^>]*datetime="([^"]*)"[^>]*>.*?</time>""", re.DOTALL)
# What is no text of the page: scripts and styles, and tokens that are new in every answer.
UNSEEN: Final = re.compile(r"<(script|style|svg)\b.*?</\1>|<[^>]*>", re.DOTALL)


def main(addresses: Path, out: Path, most: int, visitors: Sequence[str]) -> None:
    import django

    django.setup()
    from django.utils import timezone

    # "3 minutes ago" reads alike in both readings.
    now = datetime.datetime.fromisoformat(os.environ["READ_AT"])
    with mock.patch.object(timezone, "now", return_value=now), out.open("w") as lines:
        given = json.loads(addresses.read_text()) if addresses.exists() else None
        read: dict[str, list[str]] = {}
        for visitor in visitors:
            read[visitor] = []
            for address, answer in _answers(visitor, given and given[visitor], most):
                read[visitor].append(address)
                print(json.dumps({"visitor": visitor, "address": address, **answer}), file=lines)
    if given is None:
        addresses.write_text(json.dumps(read))


def _answers(visitor: str, given: list[str] | None, most: int) -> Iterator[tuple[str, dict[str, Any]]]:
    from django.contrib.auth import get_user_model
    from django.test import Client

    client = Client(headers={"host": HOST}, raise_request_exception=False)
    if visitor != "anonymous":
        client.force_login(get_user_model().objects.get(username=visitor))
    todo = deque(given or START)
    known = set(todo)
    while todo and (given is not None or len(known) - len(todo) < most):
        address = todo.popleft()
        response: Any = client.get(address)
        body = b"".join(response.streaming_content) if response.streaming else response.content
        kind = response.headers.get("Content-Type", "").partition(";")[0]
        yield address, {"status": response.status_code, "kind": kind, **_stored(kind, body)}
        if given is None:
            for link in _links(address, kind, body):
                if link not in known:
                    known.add(link)
                    (todo.appendleft if FILE.search(link) else todo.append)(link)


def _stored(kind: str, body: bytes) -> dict[str, Any]:
    stored: dict[str, Any] = {"digest": hashlib.sha256(body).hexdigest()}
    if kind == "text/html":
        stored["text"] = " ".join(html.unescape(UNSEEN.sub(" ", TIME.sub(r" \1 ", body.decode()))).split())
    elif kind == "application/json":
        stored["leaves"] = sorted(map(repr, _leaves(json.loads(body))))
    return stored


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _leaves(one)
    else:
        yield value


def _links(address: str, kind: str, body: bytes) -> Iterator[str]:
    if kind == "text/html":
        found = [html.unescape(link) for link in LINK.findall(body.decode())]
    elif kind == "application/json":
        found = [
            leaf for leaf in _leaves(json.loads(body)) if isinstance(leaf, str) and re.match(r"(https?:/)?/", leaf)
        ]
    else:
        return
    for link in found:
        try:
            parts = urlsplit(urldefrag(urljoin(f"http://{HOST}{address}", link)).url)
        except ValueError:
            continue
        whole = f"{parts.path}?{parts.query}" if parts.query else parts.path
        if parts.hostname == HOST and parts.path.startswith("/") and not NOT_READ.search(parts.path):
            yield whole


if __name__ == "__main__":
    sys.path.insert(0, "")
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
