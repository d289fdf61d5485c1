"""``peck`` and a hostile site that wants its memory, its time, or the author's token."""

import json
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from hypothesis import given

from peck import site as remote
from peck.__main__ import main
from tests.games.test_untrusted import JSON, PEAK_KB, peck


class Site(BaseHTTPRequestHandler):
    """Answers every request as the test wants."""

    answer: Any

    def do_GET(self) -> None:
        with suppress(OSError):  # the caller hangs up: that is what these tests are about
            self.answer(self)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def site() -> Iterator[Any]:
    servers = []

    def serve(answer: Any) -> str:
        handler = type("Handler", (Site,), {"answer": staticmethod(answer)})
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_address[1]}"

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


def json_answer(body: bytes) -> Any:
    def answer(handler: Site) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def flood(handler: Site) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", str(4 * 2**30))
    handler.end_headers()
    while True:
        handler.wfile.write(b"[" * 2**20)


def test_a_site_that_never_stops_talking_is_cut_short(site: Any) -> None:
    code, output, peak = peck("results", "rooster", PECK_SITE=site(flood))
    assert code == 4
    assert "no answer that makes sense" in output
    assert peak < PEAK_KB


def test_a_site_that_talks_a_byte_at_a_time_is_given_up(
    site: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    over = threading.Event()

    def drip(handler: Site) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        while not over.wait(0.05):
            handler.wfile.write(b"a")

    monkeypatch.setattr("peck.connection.TIMEOUT", 1)
    monkeypatch.setenv("PECK_SITE", site(drip))
    assert main(["results", "rooster"]) == 4
    over.set()
    assert "no answer that makes sense" in capsys.readouterr().err


@given(JSON)
def test_a_site_may_answer_anything_at_all(sent: Any) -> None:
    body = json.dumps(sent).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(remote.Site, "_answer", lambda *_: (200, body))
        for command in (["results", "rooster"], ["failure", "rooster"], ["upload", "rooster", __file__]):
            assert main(command) == 4


@given(JSON)
def test_a_list_of_a_site_may_hold_anything_at_all(sent: Any) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(remote.Site, "_answer", lambda *_: (200, json.dumps({"results": [sent]}).encode()))
        assert main(["results", "rooster"]) == 4
        assert main(["failure", "rooster"]) == 4


@pytest.mark.parametrize("body", [b"[" * 900_000, b"\xff\xfe", b'{"results": NaN}', b""])
def test_an_answer_that_is_no_json_is_answered_in_a_sentence(
    body: bytes, site: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PECK_SITE", site(json_answer(body)))
    assert main(["results", "rooster"]) == 4
    assert "no answer that makes sense" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("address", "token", "warned"),
    [
        ("http://pecking.example.org", "t", True),
        ("http://10.0.0.7:8000", "t", True),
        ("http://pecking.example.org", "", False),
        ("https://pecking.example.org", "t", False),
        ("http://127.0.0.1:8000", "t", False),
        ("http://[::1]:8000", "t", False),
        ("http://localhost:8000", "t", False),
        ("http://localhost.example.org", "t", True),
    ],
)
def test_a_token_is_not_sent_in_the_clear_without_a_warning(
    address: str, token: str, warned: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PECK_SITE", address)
    monkeypatch.setenv("PECK_TOKEN", token)
    monkeypatch.setattr(remote.Site, "_answer", lambda *_: (200, b'{"results": []}'))
    assert main(["results", "rooster"]) == 0
    assert ("warning: " in capsys.readouterr().err) == warned
