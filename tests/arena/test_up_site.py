"""`up` as a whole: what it says, what it refuses, what it leaves behind."""

import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator

import pytest

from tests.browser.running import ROOT, Site, data_directory, eventually, processes, site

pytestmark = pytest.mark.timeout(300)


def leftovers(pids: set[int]) -> list[str]:
    return [line.command for line in processes() if line.pid in pids]


@pytest.fixture(scope="module")
def running() -> Iterator[Site]:
    with site("--no-demo", "--workers", "1") as running:
        yield running


def test_it_says_where_it_is_how_to_sign_in_and_how_to_stop_it_in_a_handful_of_lines(running: Site) -> None:
    assert f"Pecking Order is at {running.url}/" in running.said
    assert f"Sign in as 'organiser' with the password {running.organiser_password}" in running.said
    assert "Ctrl-C stops everything" in running.said
    assert len(running.said.splitlines()) <= 10, running.said


def test_the_home_page_answers(running: Site) -> None:
    with urllib.request.urlopen(running.url + "/") as answer:
        assert answer.status == 200
        assert b"<title>" in answer.read()


def test_a_second_site_on_the_same_data_is_refused_in_plain_words(running: Site) -> None:
    second = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "up", "--port", "0"],
        env=running.environment,
        capture_output=True,
        text=True,
    )
    assert second.returncode != 0
    assert "already running" in second.stderr
    assert str(running.process.pid) in second.stderr
    assert "Traceback" not in second.stderr


def test_a_taken_port_is_refused_in_plain_words_before_anything_is_started(running: Site) -> None:
    with data_directory() as var, socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = subprocess.run(
            [sys.executable, str(ROOT / "manage.py"), "up", "--port", str(port)],
            env=running.environment | {"PECKING_ORDER_VAR": str(var)},
            capture_output=True,
            text=True,
        )
        assert done.returncode != 0
        assert f"port {port}" in done.stderr
        assert "make run PORT=" in done.stderr
        assert "Traceback" not in done.stderr
        assert not (var / "db.sqlite3").exists()


def test_a_web_server_that_is_killed_comes_back(running: Site) -> None:
    os.kill(running.leader("uvicorn"), signal.SIGKILL)

    def is_back() -> bool:
        try:
            with urllib.request.urlopen(running.url + "/") as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    assert eventually(lambda: "web server was ended by SIGKILL" in running.said, 10)
    assert eventually(is_back, 30)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_it_started_is_left_however_it_ends(number: signal.Signals) -> None:
    with data_directory() as var:
        running = Site(var, "--no-demo", "--workers", "1").wait_until_up()
        assert eventually(lambda: len(running.family()) >= 8, 30)  # up, Valkey, web, and two workers with theirs
        pids = {line.pid for line in running.family()}
        code = running.stop(number)
        assert code == (-signal.SIGKILL if number == signal.SIGKILL else 0), running.said
        assert eventually(lambda: not leftovers(pids), 15), leftovers(pids)


def test_a_second_start_keeps_the_data_and_the_password() -> None:
    with data_directory() as var:
        first = Site(var, "--no-demo", "--workers", "1").wait_until_up()
        password = first.organiser_password
        first.manage("shell", "-c", "from arena.accounts.models import User; User.objects.create_user('hen')")
        first.stop()
        second = Site(var, "--no-demo", "--workers", "1").wait_until_up()
        try:
            assert password in second.said
            names = second.manage(
                "shell", "-c", "from arena.accounts.models import User; print(*User.objects.values_list('username'))"
            )
            assert "hen" in names
        finally:
            second.stop(signal.SIGTERM)


def test_data_far_down_the_tree_get_a_socket_elsewhere() -> None:
    with data_directory() as var:
        deep = var / ("nest" * 20) / ("egg" * 20)
        deep.mkdir(parents=True)
        running = Site(deep, "--no-demo", "--workers", "1")
        try:
            running.wait_until_up()
            assert not (deep / "valkey.sock").exists()
        finally:
            running.stop(signal.SIGTERM)
