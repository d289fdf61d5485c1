"""``make chaos`` and ``make load``, each for a moment: a site is started, hit or visited, and reported on."""

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.chaos.stores import postgres_binaries

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(900),
    pytest.mark.skipif(postgres_binaries() is None, reason="there is no PostgreSQL here"),
]


def ran(module: str, *arguments: str) -> dict[str, Any]:
    """The JSON of a run, which must end well."""
    command = [sys.executable, "-m", module, "--json", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    data: dict[str, Any] = json.loads(done.stdout)
    return data


def test_a_site_outlives_the_loss_of_its_web_process() -> None:
    report = ran("tests.chaos", "--minutes", "0.1", "--seed", "1", "--only", "web process", "--port", "9360")
    [fault] = report["faults"]
    assert fault["fault"] == "kill -9 of the web process"
    assert fault["in_time"]
    assert report["violations"] == []
    assert report["counts"]["matches"] > 0
    assert report["counts"]["frames seen"] > 0
    assert report["counts"]["sockets lost"] > 0


def test_a_small_site_is_visited_and_every_group_of_processes_is_reported() -> None:
    visits = ("--minutes", "1", "--views", "240", "--authors", "4", "--spectators", "20")
    report = ran("benchmarks.load", "--bots", "60", "--games", "1200", *visits, "--port", "9360")
    assert report["errors"] == {}
    assert report["pages"]["answers"] > 50
    assert report["groups"]["authors: upload"]["answers"] == 4
    assert {"sockets: tournament", "sockets: match"} <= set(report["groups"])
    assert {"web", "matches", "books", "PostgreSQL", "Valkey", "visitors"} <= set(report["cpu"])
    assert report["ratio"] > 0
