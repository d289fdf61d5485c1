"""Static files: answered before Django, with all that an answer has to say."""

import gzip
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import async_to_sync

from arena import asgi
from arena.static_answers import CHUNK, StaticAnswers
from tests.arena.asgi import Answer, scope_of

HASHED = "/static/site/js/site.0123456789ab.js"
SCRIPT = b"const all = 1;\n" * 10_000
PASSED_ON = Answer(599, {}, b"")


class Site:
    """Static files below a folder, and an application that says what came through to it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.passed: list[str] = []
        self.answers = StaticAnswers(self)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.passed.append(scope["path"])
        await send({"type": "http.response.start", "status": PASSED_ON.status, "headers": []})
        await send({"type": "http.response.body"})

    def fetch(self, path: str, method: str = "GET", scheme: str = "http", **headers: str) -> Answer:
        """Return the answer; ``headers`` are written with underscores."""
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(message)

        given = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        scope = scope_of(path) | {"method": method, "scheme": scheme, "headers": [(b"host", b"here"), *given]}
        async_to_sync(self.answers)(scope, None, send)  # type: ignore[arg-type]
        assert all(len(message.get("body", b"")) <= CHUNK for message in sent)
        assert [message.get("more_body", False) for message in sent[1:]] == [True] * (len(sent) - 2) + [False]
        return Answer(sent[0]["status"], dict(sent[0]["headers"]), b"".join(one.get("body", b"") for one in sent[1:]))


@pytest.fixture
def site(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    settings.STATIC_ROOT = tmp_path
    settings.WHITENOISE_AUTOREFRESH = settings.WHITENOISE_USE_FINDERS = False
    for name in (HASHED, "/static/site/js/site.js"):
        path = tmp_path / name.removeprefix("/static/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(SCRIPT)
        path.with_suffix(".js.gz").write_bytes(gzip.compress(SCRIPT))
    monkeypatch.setattr("web.pyodide.SiteStaticFiles.get_static_url", lambda _self, _name: HASHED)
    return Site(tmp_path)


def test_a_file_is_sent_in_pieces_and_django_hears_nothing_of_it(site: Site) -> None:
    answer = site.fetch(HASHED)
    assert (answer.status, answer.body, site.passed) == (200, SCRIPT, [])
    assert answer.headers[b"content-length"] == str(len(SCRIPT)).encode()
    assert answer.headers[b"content-type"].startswith(b"text/javascript")


def test_it_has_the_headers_of_every_answer(site: Site, settings: Any) -> None:
    headers = site.fetch(HASHED).headers
    assert headers[b"x-content-type-options"] == b"nosniff"
    assert headers[b"referrer-policy"] == b"same-origin"
    assert len(headers[b"x-request-id"]) == 32
    settings.REQUEST_ID_HEADER = "X-Proxy-Id"
    assert site.fetch(HASHED, x_proxy_id="of-a-proxy").headers[b"x-request-id"] == b"of-a-proxy"
    assert len(site.fetch(HASHED, x_proxy_id="not an id\r\n").headers[b"x-request-id"]) == 32


def test_a_file_with_a_hash_in_its_name_is_immutable(site: Site) -> None:
    assert b"immutable" in site.fetch(HASHED).headers[b"cache-control"]
    assert b"immutable" not in site.fetch("/static/site/js/site.js").headers[b"cache-control"]


def test_a_client_that_accepts_it_gets_the_compressed_file(site: Site) -> None:
    answer = site.fetch(HASHED, accept_encoding="gzip, br")
    assert (gzip.decompress(answer.body), answer.headers[b"content-encoding"]) == (SCRIPT, b"gzip")
    assert answer.headers[b"vary"] == b"Accept-Encoding"
    assert site.fetch("/static/site/js/site.js.gz") == PASSED_ON


def test_an_unchanged_file_is_a_304(site: Site) -> None:
    answer = site.fetch(HASHED, if_none_match=site.fetch(HASHED).headers[b"etag"].decode())
    assert (answer.status, answer.body) == (304, b"")
    assert b"content-type" not in answer.headers


@pytest.mark.parametrize(
    ("requested", "status", "body"),
    [
        ("bytes=2-6", 206, SCRIPT[2:7]),
        ("bytes=-5", 206, SCRIPT[-5:]),
        ("bytes=9000000-", 416, b""),
        ("bytes=-", 200, SCRIPT),
        ("bytes=0-1,4-5", 200, SCRIPT),
        ("lines=٣-٤", 200, SCRIPT),
        ("bytes=" + "9" * 5000 + "-", 200, SCRIPT),
    ],
)
def test_a_range_is_sent_and_nonsense_is_no_range(site: Site, requested: str, status: int, body: bytes) -> None:
    answer = site.fetch(HASHED, range=requested)
    assert (answer.status, answer.body) == (status, body)


def test_head_has_no_body(site: Site) -> None:
    answer = site.fetch(HASHED, "HEAD")
    assert (answer.status, answer.body) == (200, b"")
    assert answer.headers[b"content-length"] == str(len(SCRIPT)).encode()


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/static/",
        "/static/nothing.js",
        "/static/site/../../../etc/passwd",
        "/static/site/js",
        "/static/\0",
        HASHED + "/",
    ],
)
def test_all_else_is_for_django(site: Site, path: str) -> None:
    assert site.fetch(path) == PASSED_ON
    assert site.passed == [path]


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_other_methods_are_passed_on(site: Site, method: str) -> None:
    assert site.fetch(HASHED, method) == PASSED_ON


def test_a_missing_file_is_passed_on(site: Site) -> None:
    (site.folder / HASHED.removeprefix("/static/")).unlink()
    assert site.fetch(HASHED) == PASSED_ON


def test_in_production_only_tls_is_answered_here(site: Site, settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    settings.SECURE_HSTS_SECONDS = 1000
    site = Site(site.folder)
    assert site.fetch(HASHED) == PASSED_ON
    assert site.fetch(HASHED, x_forwarded_proto="https").headers[b"strict-transport-security"] == b"max-age=1000"


def test_the_file_of_a_reader_who_breaks_off_is_closed(site: Site) -> None:
    opened: list[Any] = []
    found = site.answers._found

    def noted(scope: Any) -> Any:
        opened.append(found(scope))
        return opened[-1]

    async def send(message: Mapping[str, Any]) -> None:
        if "body" in message:
            raise ConnectionResetError

    site.answers._found = noted  # type: ignore[method-assign]
    with pytest.raises(ConnectionResetError):
        async_to_sync(site.answers)(scope_of(HASHED) | {"scheme": "http"}, None, send)  # type: ignore[arg-type]
    assert opened[0][1].closed


def test_the_site_answers_so() -> None:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    scope = scope_of("/static/site/js/site.js") | {"scheme": "http"}
    async_to_sync(asgi.application)(scope, None, send)  # with nothing to receive, Django could not
    assert sent[0]["status"] == 200
