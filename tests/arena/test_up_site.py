"""`up` as a whole: what it says, what it refuses, what it leaves behind."""

import os
import signal
import socket
import sqlite3
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks.agent import VERDICT, called
from tests.browser.running import ROOT, StartedSite, data_directory, processes, site
from tests.waiting import eventually

pytestmark = [pytest.mark.processes, pytest.mark.timeout(300)]


def leftovers(pids: set[int]) -> list[str]:
    return [line.command for line in processes() if line.pid in pids]


@pytest.fixture(scope="module")
def running() -> Iterator[StartedSite]:
    with site("--no-demo", "--workers", "1") as running:
        yield running


def test_it_prints_its_address_how_to_sign_in_and_how_to_stop_it(running: StartedSite) -> None:
    assert f"Pecking Order is at {running.url}/" in running.output
    assert f"Sign in as 'organiser' with the password {running.organiser_password}" in running.output
    assert "Ctrl-C stops everything" in running.output
    assert len(running.output.splitlines()) <= 10, running.output


def test_the_home_page_answers(running: StartedSite) -> None:
    with urllib.request.urlopen(running.url + "/") as answer:
        assert answer.status == 200
        assert b"<title>" in answer.read()


def test_a_site_at_home_is_a_handful_of_processes(running: StartedSite) -> None:
    """Itself, Valkey, the web server, a worker of matches and one of all else, and what those two fork."""
    assert eventually(lambda: len(running.family()) == 7), [line.command for line in running.family()]


def test_a_second_site_on_the_same_data_is_refused_in_plain_words(running: StartedSite) -> None:
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


def test_a_taken_port_is_refused_in_plain_words_before_anything_is_started(running: StartedSite) -> None:
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


def test_there_are_as_many_match_workers_as_requested(running: StartedSite) -> None:
    slots = "SELECT coalesce(sum(slots), 0) FROM matches_workerpresence"
    assert eventually(lambda: running.count(slots) > 0)
    assert running.count(slots) == 1


async def test_an_agent_gets_from_nothing_to_a_verdict(running: StartedSite, tmp_path: Path) -> None:
    calls = [one for one in VERDICT if one[0] not in ("rules", "check")]  # each a process more
    answers = [one async for one in called(running, tmp_path, calls)]
    assert [one.tool for one in answers if one.is_error] == []
    assert answers[-1].text.startswith("version 1: accepted\n")


def test_a_web_server_that_is_killed_comes_back(running: StartedSite) -> None:
    os.kill(running.leader("web server"), signal.SIGKILL)

    def is_back() -> bool:
        try:
            with urllib.request.urlopen(running.url + "/") as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    assert eventually(lambda: "web server was ended by SIGKILL" in running.output)
    assert eventually(is_back)


def test_a_terminated_match_worker_is_replaced_by_one_that_plays(running: StartedSite) -> None:
    finished = "SELECT count(*) FROM matches_match WHERE state = 'finished'"
    urllib.request.urlopen(running.url + "/").close()  # ladders of house bots rest while nobody looks
    running.shell("cast.house_bots()\ncast.ladder()")
    assert eventually(lambda: running.count(finished) > 0)
    pid = running.leader("match worker 1")
    os.kill(pid, signal.SIGTERM)
    assert eventually(lambda: not leftovers({pid}))
    ended = running.count(finished)
    assert eventually(lambda: running.count(finished) > ended)


def test_a_terminated_site_leaves_nothing_behind(running: StartedSite) -> None:
    pids = {line.pid for line in running.family()}
    assert running.stop(signal.SIGTERM) == 0, running.output
    assert eventually(lambda: not leftovers(pids)), leftovers(pids)


@pytest.mark.slow  # test_up_supervisor ends one by force each day, test_up_parts starts again on the same data
def test_however_it_ends_nothing_it_started_is_left_and_the_next_start_finds_data_and_password() -> None:
    """On data so far down the tree that the embedded Valkey's socket must be elsewhere."""
    with data_directory() as var:
        deep = var / ("nest" * 20) / ("egg" * 20)
        deep.mkdir(parents=True)
        endings = {signal.SIGKILL: -signal.SIGKILL, signal.SIGINT: 0}
        passwords = {started_and_ended(deep, number, code) for number, code in endings.items()}
        assert len(passwords) == 1
        with closing(sqlite3.connect(deep / "db.sqlite3")) as database:
            [(marks,)] = database.execute("SELECT last_name FROM accounts_user WHERE username = 'organiser'")
        assert marks == "x" * len(endings)


def started_and_ended(data: Path, number: signal.Signals, code: int) -> str:
    """Start a site, leave a mark in its data, end it by this signal, find nothing left; its password, shown once."""
    first = not (data / "organiser_password").exists()
    running = StartedSite(data, "--no-demo", "--workers", "1")
    try:
        running.wait_until_up()
        assert not (data / "valkey.sock").exists()
        assert (running.organiser_password in running.output) is first  # once: logs are kept, and collected
        with closing(sqlite3.connect(data / "db.sqlite3", timeout=30)) as database, database:
            database.execute("UPDATE accounts_user SET last_name = last_name || 'x'")
        assert eventually(lambda: len(running.family()) >= 7)  # up, Valkey, web, and two workers, a zygote each
        logs = [data / "logs" / name for name in ("matches-1.log", "background.log")]
        assert eventually(lambda: all(" ready." in log.read_text() for log in logs))
        pids = {line.pid for line in running.family()}
        assert running.stop(number) == code, running.output
        assert eventually(lambda: not leftovers(pids)), leftovers(pids)  # a worker may be waiting for the broker
        return running.organiser_password
    finally:
        running.stop(signal.SIGTERM)
