"""A site set up as the page on deploying says, without containers: its settings, programs, and a visitor behind TLS."""

import os
import re
import shutil
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from pathlib import Path

from tests.browser.running import ROOT, STRIPPED, free_port
from tests.mail_catcher import MailCatcher
from tests.waiting import eventually

HOST = "pecking.example.org"
LEFT_OUT = shutil.ignore_patterns(".*", "var", "staticfiles", "__pycache__", "htmlcov")


def documented_settings() -> dict[str, str]:
    """Return the settings that the page writes to `/etc/pecking-order/env`."""
    page = (ROOT / "docs/how-to/deploy.md").read_text()
    [block] = re.findall(r"/etc/pecking-order/env <<END\n(.*?)\nEND\n", page, re.DOTALL)
    lines = [line.partition("=")[::2] for line in block.splitlines()]
    return {name: "x" * 50 if value.startswith("$(") else value for name, value in lines}


def released(directory: Path) -> Path:
    """The files of this release in a directory of their own, as they lie in `/srv/pecking-order`."""
    shutil.copytree(ROOT, directory, ignore=LEFT_OUT, dirs_exist_ok=True)
    return directory


@dataclass(slots=True)
class Installed:
    """Settings, data directory, and the release that is run with them."""

    code: Path
    var: Path
    mail: MailCatcher
    stores: dict[str, str]
    port: int = field(default_factory=free_port)

    @property
    def environment(self) -> dict[str, str]:
        inherited = {name: value for name, value in os.environ.items() if name not in STRIPPED}
        ours = {"DJANGO_SETTINGS_MODULE": "arena.settings.prod", "PECKING_ORDER_VAR": str(self.var)}
        ours |= {"PYTHONPATH": f"{self.code}:{self.code / 'platform'}", "EMAIL_PORT": str(self.mail.port)}
        return (
            inherited
            | documented_settings()
            | ours
            | {"EMAIL_HOST": "127.0.0.1", "WEB_DRAIN_SECONDS": "0"}
            | self.stores
        )

    def manage(self, *arguments: object, **more: str) -> str:
        """Return the output of a command. It must not fail."""
        command = [sys.executable, str(self.code / "manage.py"), *map(str, arguments)]
        done = subprocess.run(command, cwd=self.code, env=self.environment | more, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    @contextmanager
    def running(self) -> Iterator[None]:
        """Run the pages and the worker that sends emails for the block."""
        web = [sys.executable, "-m", "arena.serving", "--host", "127.0.0.1", "--port", str(self.port)]
        results_worker = [
            sys.executable,
            "-m",
            "celery",
            "-A",
            "arena.celery_app",
            "worker",
            "--queues=books",
            "--pool=solo",
        ]
        with (self.var / "log").open("wb") as log:
            running = [
                subprocess.Popen(one, cwd=self.code, env=self.environment, stdout=log, stderr=log)
                for one in (web, results_worker)
            ]
            try:
                assert eventually(self.is_ready), (self.var / "log").read_text()
                yield
            finally:
                for one in running:
                    one.kill()
                    one.wait()

    def is_ready(self) -> bool:
        """Return whether a probe reports that pages are served."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=30) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_given: object, **_named: object) -> None:
        """Leave it to the visitor."""


class Visitor:
    """A browser with its cookies, before a proxy that ends TLS."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookies: dict[str, str] = {}
        self.path = "/"
        self.page = ""

    def go(self, path: str, **typed: str) -> str:
        """Open a page, or send a form to it, and follow where that leads; return the page."""
        data = None
        if typed:
            token = {"csrfmiddlewaretoken": self.cookies.get("csrftoken", "")}
            data = urllib.parse.urlencode(typed | token).encode()
        for _redirect in range(9):
            headers = {"Host": HOST, "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}
            headers |= {"Referer": f"https://{HOST}{self.path}"}
            headers |= {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
            request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, headers)
            try:
                answer = urllib.request.build_opener(_Stay).open(request, timeout=60)
            except urllib.error.HTTPError as error:
                answer = error
            with answer:
                for line in answer.headers.get_all("Set-Cookie") or ():
                    self.cookies |= {name: one.value for name, one in SimpleCookie(line).items()}
                self.page, self.path = answer.read().decode(), urllib.parse.urlsplit(path).path
                if answer.status not in (301, 302, 303):
                    assert answer.status == 200, f"{path}: {answer.status}"
                    return self.page
                path, data = answer.headers["Location"].removeprefix(f"https://{HOST}"), None
        raise AssertionError(f"{path} leads round in a circle")

    def sign_in(self, login: str, password: str) -> str:
        """Sign in by the page; return where that leads."""
        self.go("/accounts/login/")
        self.go("/accounts/login/", login=login, password=password)
        return self.path

    @property
    def is_signed_in(self) -> bool:
        """Whether the page has a way out."""
        return 'action="/accounts/logout/"' in self.go("/")
