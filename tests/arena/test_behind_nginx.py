"""A production site behind nginx with our configuration: client addresses, trailers, and what caches may store."""

import shutil
import socket
import ssl
import urllib.parse
from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPSConnection
from http.cookies import SimpleCookie

import pytest

from tests.arena.nginx import nginx
from tests.arena.production_site import HOST, Installed, released
from tests.brokers import Broker
from tests.browser.running import data_directory
from tests.databases import own_database
from tests.mail_catcher import mail_caught

pytestmark = [
    pytest.mark.processes,
    pytest.mark.timeout(900),
    pytest.mark.skipif(not (shutil.which("nginx") and shutil.which("openssl")), reason="needs nginx and openssl"),
]
PASSWORD = "correct horse 42"
PEOPLE = f"""
from allauth.account.models import EmailAddress
from arena.accounts.models import User
from tests.matches.factories import FinishedMatchFactory
rosa = User.objects.create_user("rosa", "rosa@example.org", "{PASSWORD}")
EmailAddress.objects.create(user=rosa, email=rosa.email, verified=True, primary=True)
print(FinishedMatchFactory().pk)
"""
TRUSTING = ssl._create_unverified_context()


@dataclass(frozen=True, slots=True)
class Place:
    """The ports that nginx has: with nothing but our file, and with a cache; and a match that is over."""

    plain: int
    cached: int
    match: int


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    made = [tmp_path_factory.mktemp(name) for name in ("site", "plain", "cached")]
    with (
        data_directory() as var,
        mail_caught() as mail,
        Broker(var / "valkey.sock"),
        own_database(var) as database,
    ):
        stores = {"DATABASE_URL": database, "REDIS_URL": f"unix://{var / 'valkey.sock'}"}
        site = Installed(released(made[0]), var, mail, stores)
        site.manage("collectstatic", "--noinput", "--verbosity=0")
        if not database.startswith("sqlite"):
            site.manage("migrate", "--verbosity=0")
        match = int(site.manage("shell", "-v0", "-c", PEOPLE))
        with (
            site.running(),
            nginx(made[1], site.port) as plain,
            nginx(made[2], site.port, has_cache=True) as cached,
        ):
            yield Place(plain, cached, match)


@dataclass(slots=True)
class Browser:
    """A visitor with cookies. ``address`` is the local address of its connections."""

    port: int
    cookies: dict[str, str]
    address: str = "127.0.0.1"

    def go(self, path: str, typed: dict[str, str] | None = None, **headers: str) -> tuple[int, str]:
        """Open a page or send a form to it: the status and what is there."""
        sent = {"Host": HOST, "Referer": f"https://{HOST}/"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        body = None
        if typed is not None:
            body = urllib.parse.urlencode(typed | {"csrfmiddlewaretoken": self.cookies["csrftoken"]})
            sent["Content-Type"] = "application/x-www-form-urlencoded"
        line = HTTPSConnection("127.0.0.1", self.port, timeout=60, context=TRUSTING, source_address=(self.address, 0))
        line.request("GET" if body is None else "POST", path, body, sent)
        answer = line.getresponse()
        for cookie in answer.headers.get_all("Set-Cookie") or ():
            self.cookies |= {name: one.value for name, one in SimpleCookie(cookie).items()}
        page = answer.read().decode(errors="replace")
        line.close()
        return answer.status, page

    def sign_in(self, login: str, password: str, **headers: str) -> str:
        self.go("/accounts/login/", **headers)
        return self.go("/accounts/login/", {"login": login, "password": password}, **headers)[1]


FORGED = ("X-Forwarded-For", "X-Real-IP", "Forwarded", "X_Forwarded_For", "True-Client-IP", "CF-Connecting-IP")


def test_nobody_escapes_the_limit_of_wrong_passwords_by_claiming_another_address(place: Place) -> None:
    tried = Browser(place.plain, {})
    for number in range(32):
        claimed = {name: f"for=192.0.2.{number}" if name == "Forwarded" else f"192.0.2.{number}" for name in FORGED}
        page = tried.sign_in(f"nobody{number}", "wrong", **claimed)
    assert "Too many failed login attempts" in page
    assert "Too many failed login attempts" not in Browser(place.plain, {}, "127.0.0.3").sign_in("nobody", "wrong")


@pytest.mark.parametrize("path", ["/", "/tournaments/", "/watch/"])
@pytest.mark.parametrize("way", ["trailers", "body", "underscores", "twice"])
def test_a_strange_request_does_not_affect_the_next_visitor(place: Place, path: str, way: str) -> None:
    strange = {
        "trailers": "Transfer-Encoding: chunked\r\nTE: trailers\r\nTrailer: Accept-Language\r\n\r\n"
        "0\r\nAccept-Language: de\r\nCookie: theme=dark; django_language=de\r\n\r\n",
        "body": "Content-Length: 19\r\nAccept-Language: en\r\n\r\nAccept-Language: de",
        "underscores": "Accept_Language: de\r\nX_Forwarded_Host: evil.example\r\n\r\n",
        "twice": "Accept-Language: en\r\nAccept-Language: de\r\nX-Forwarded-Host: evil.example\r\n\r\n",
    }
    for port in (place.plain, place.cached):
        for _ in range(2):
            with (
                socket.create_connection(("127.0.0.1", port), timeout=60) as raw,
                TRUSTING.wrap_socket(raw, server_hostname=HOST) as line,
            ):
                head = f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n"
                line.sendall((head + strange[way]).encode())
                while line.recv(65536):
                    pass
        for language in ("en", "fr"):
            status, page = Browser(port, {}).go(path, Accept_Language=language)
            assert status == 200
            assert f'<html lang="{language}"' in page
            assert "evil.example" not in page


def test_a_cache_in_front_of_the_site_gives_nobody_a_private_page(place: Place) -> None:
    rosa = Browser(place.cached, {}, "127.0.0.4")  # others of this file have failed to sign in from theirs
    rosa.sign_in("rosa", PASSWORD)
    assert "sessionid" in rosa.cookies
    german = Browser(place.cached, {"django_language": "de"})
    picture = f"/matches/{place.match}/games/0/picture.svg"
    for path in ("/", "/tournaments/", "/leagues/", "/people/rosa/", "/watch/", f"/matches/{place.match}/"):
        assert "/accounts/logout/" in rosa.go(path)[1], f"{path} is to be hers"
        assert '<html lang="de"' in german.go(path)[1]
        page = Browser(place.cached, {}).go(path)[1]
        assert "/accounts/logout/" not in page
        assert '<html lang="en"' in page
    for path in ("/now/", "/watch/timetable.ics", "/watch/cells/", picture):
        response = german.go(path)
        assert response[0] == 200, path
        plain = Browser(place.plain, {}).go(path)
        assert Browser(place.cached, {}).go(path) == plain, f"{path} in German for everyone"
