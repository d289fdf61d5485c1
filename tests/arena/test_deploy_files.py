"""The files for a machine without containers do what they say, and so do commands in the docs."""

import re
import shutil
import ssl
import subprocess
import threading
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import get_commands, load_command_class

from arena.settings.environment import EX_CONFIG, EX_TEMPFAIL
from matches.worker.celery_worker import EXIT_CANNOT_CAGE
from tests.arena.nginx import nginx

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").iterdir())
HOME = "/srv/pecking-order"


def needs(program: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"needs {program}")


def values(unit: Path, name: str) -> list[str]:
    return re.findall(rf"^{name}=(.*)$", unit.read_text(), re.MULTILINE)


class Echo(BaseHTTPRequestHandler):
    """Answers with the headers that it was sent."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(str(self.headers).encode())

    def log_message(self, *_given: object) -> None:
        """Say nothing."""


@pytest.fixture
def site() -> Iterator[int]:
    """The port of something behind the proxy."""
    with HTTPServer(("127.0.0.1", 0), Echo) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield server.server_port
        server.shutdown()


def headers_at_the_site(port: int) -> str:
    trusting = ssl._create_unverified_context()
    forged = {"X-Forwarded-For": "192.0.2.9", "X-Forwarded-Proto": "http", "Host": "pecking.example.org"}
    request = urllib.request.Request(f"https://127.0.0.1:{port}/", headers=forged)
    with urllib.request.urlopen(request, context=trusting, timeout=10) as answer:
        return str(answer.read().decode())


@needs("nginx")
@needs("openssl")
def test_behind_nginx_the_site_knows_the_client_and_that_it_uses_tls(site: int, tmp_path: Path) -> None:
    with nginx(tmp_path, site) as port:
        headers = headers_at_the_site(port)
    assert "X-Forwarded-For: 127.0.0.1\n" in headers.replace("\r", "")
    assert "X-Forwarded-Proto: https" in headers
    assert "Host: pecking.example.org" in headers
    assert "192.0.2.9" not in headers


@needs("caddy")
def test_caddy_understands_its_file() -> None:
    file = DEPLOY / "proxies/Caddyfile"
    done = subprocess.run(
        ["caddy", "validate", "--adapter", "caddyfile", "--config", file], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_no_proxy_refuses_requests_that_the_site_accepts() -> None:
    for name, pattern in (("nginx.conf", r"client_max_body_size (\d+)m;"), ("Caddyfile", r"max_size (\d+)MB")):
        [most] = re.findall(pattern, (DEPLOY / "proxies" / name).read_text())
        assert int(most) * 1_000_000 > settings.REQUEST_BODY_MAX
    assert "proxy_set_header Upgrade $http_upgrade;" in (DEPLOY / "proxies/nginx.conf").read_text()


@needs("systemd-analyze")
def test_systemd_understands_the_units(tmp_path: Path) -> None:
    for unit in UNITS:
        (tmp_path / unit.name).write_text(unit.read_text().replace(HOME, str(ROOT)))
    done = subprocess.run(["systemd-analyze", "verify", *sorted(tmp_path.iterdir())], capture_output=True, text=True)
    assert (done.returncode, done.stderr.strip()) == (0, "")


def test_the_target_starts_every_queue_one_clock_and_the_timer() -> None:
    wanted = " ".join(values(DEPLOY / "systemd/pecking-order.target", "Wants")).split()
    queues = re.findall(r"pecking-order-worker@(\w+)\.service", " ".join(wanted))
    assert sorted(queues) == sorted(queue.name for queue in settings.CELERY_TASK_QUEUES)
    files = {unit.name for unit in UNITS}
    assert {re.sub(r"@\w+", "@", one) for one in wanted} <= files
    for unit in UNITS:
        for command in values(unit, "ExecStart"):
            program, *arguments = command.split()
            assert (ROOT / program.removeprefix(f"{HOME}/")).exists(), unit.name
            if arguments[0] == "manage.py":
                assert arguments[1] in get_commands()
        if unit.suffix == ".service":
            assert "DJANGO_SETTINGS_MODULE=arena.settings.prod" in values(unit, "Environment")[0]
            assert values(unit, "EnvironmentFile") == ["/etc/pecking-order/env"]
            stop = values(unit, "TimeoutStopSec") or ["90"]
            assert int(stop[0]) > settings.DRAIN_SECONDS, unit.name


def test_a_program_that_cannot_work_here_is_not_started_again_and_one_that_waits_for_a_server_is() -> None:
    lasting = [unit for unit in UNITS if values(unit, "Restart")]
    assert {unit.name for unit in lasting} >= {"pecking-order-web.service", "pecking-order-worker@.service"}
    assert EX_TEMPFAIL != EX_CONFIG == EXIT_CANNOT_CAGE
    for unit in lasting:
        assert values(unit, "Restart") == ["always"]
        assert values(unit, "RestartPreventExitStatus") == [str(EX_CONFIG)], unit.name


def commands() -> Iterator[tuple[str, str]]:
    """The commands that the pages for operators give, with the page of each."""
    for page in sorted((ROOT / "docs/how-to").glob("*.md")):
        for block in re.findall(r"^```\w*\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE):
            for line in block.replace("\\\n", " ").splitlines():
                if not line.startswith("#"):
                    yield page.name, line.strip()


def test_programs_in_the_docs_are_named_by_where_they_lie() -> None:
    bare = [(page, line) for page, line in commands() if re.match(r"(\w+=\S+ )*(celery|python|manage\.py)\b", line)]
    assert bare == []
    named = {line.split()[0] for _page, line in commands() if line.startswith(".venv/bin/")}
    assert {".venv/bin/celery", ".venv/bin/python"} <= named
    assert all((ROOT / program).exists() for program in named if program != ".venv/bin/pre-commit")


def test_every_command_of_ours_in_the_docs_is_there_and_takes_its_arguments() -> None:
    found = 0
    for _page, line in commands():
        if match := re.search(r"manage\.py (\w+)([^#|>]*)", line):
            name, arguments = match[1], match[2].split()
            command = load_command_class(get_commands()[name], name)
            command.create_parser("manage.py", name).parse_args(arguments)
            found += 1
    assert found > 5
