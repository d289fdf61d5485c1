"""Match pages as the site sends them, frozen: fetched once with Django's test client, served to a browser by a thread.

What is served needs no database any more; the cookie ``lang`` says in which language a browser gets it.
"""

import gzip
import json
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from mimetypes import guess_type
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeAlias

import django
from django.contrib.staticfiles import finders

from tests.databases import migrated

COMPRESSED: Final = ("text/", "application/json", "application/javascript", "image/svg")
SOON: Final = 0.02  # how often, in seconds, the server looks whether it is to end
Answers: TypeAlias = dict[tuple[str, str], tuple[bytes, dict[str, str]]]  # by path and language: body and headers


class Pages:
    """What the server answers."""

    def __init__(self, answers: Answers, others: "Pages | None" = None) -> None:
        """``others`` answer what ``answers`` lack."""
        self._answers = answers
        self._others = others

    def find(self, path: str, language: str) -> tuple[bytes, Mapping[str, str]] | None:
        """What was fetched for ``path``, or the static file there."""
        if answer := self._answers.get((path, language)) or self._answers.get((path, "en")):
            return answer
        if self._others:
            return self._others.find(path, language)
        found: Any = finders.find(path.removeprefix("/static/")) if path.startswith("/static/") else None
        if found is None:
            return None
        return Path(found).read_bytes(), {
            "Content-Type": guess_type(found)[0] or "text/plain",
            "Cache-Control": "max-age=600",
        }


def freeze(matches: Sequence[tuple[str, int]], languages: Sequence[str]) -> tuple["Pages", dict[tuple[str, int], str]]:
    """Pages of house matches, by game and players, and where each lies."""
    paths, answers = made_by(__spec__.name, list(matches), list(languages))
    return Pages(answers), paths


def made_by(module: str, *arguments: Any) -> Any:
    """What a module writes to standard output, pickled, given these arguments as JSON. In a process of its own, with a
    database of its own: where the browser's loop runs Django talks to none."""
    command = [sys.executable, "-m", module, json.dumps(arguments)]
    with TemporaryDirectory() as var:
        migrated(Path(var) / "db.sqlite3")
        environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
        environment |= {"DJANGO_SETTINGS_MODULE": "arena.settings.test", "PECKING_ORDER_VAR": var}
        done = subprocess.run(command, env=environment, capture_output=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return pickle.loads(done.stdout)


def main(matches: Sequence[tuple[str, int]], languages: Sequence[str]) -> None:
    """Write what ``freeze`` returns to standard output."""
    django.setup()
    from tests.matches.replay.house_matches import fetched

    sys.stdout.buffer.write(pickle.dumps(fetched(matches, languages)))


@contextmanager
def served(pages: Pages, sent: list[tuple[str, int]] | None = None) -> Iterator[str]:
    """The address of a server of ``pages``; the cookie ``lang`` says in which language.

    It notes in ``sent`` the path and the bytes of every answer, which are compressed where the site's are.
    """

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            language = (self.headers.get("Cookie") or "").rpartition("lang=")[2][:2] or "en"
            path = self.path.partition("?")[0]
            body, headers = pages.find(self.path, language) or pages.find(path, language) or (b"", {})
            if headers.get("Content-Type", "").startswith(COMPRESSED):
                body, headers = gzip.compress(body, 6), {**headers, "Content-Encoding": "gzip"}
            if sent is not None:
                sent.append((self.path, len(body)))
            self.send_response(200 if headers else 404)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(SOON,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


if __name__ == "__main__":
    main(*json.loads(sys.argv[1]))
