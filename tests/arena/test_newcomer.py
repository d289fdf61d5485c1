"""A newcomer and the site's own page: the kit into an empty environment, a bot, its check, the verdict, a league."""

import json
import os
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from time import monotonic

import pytest

from tests.browser.running import StartedSite, site

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
SECONDS = 60  # of processor time, of all that the newcomer starts

MAKE = """
from arena.accounts.models import User
from arena.accounts.tokens import token_create
from tests.leagues.factories import open_league
import json
newcomer = User.objects.create_user("newcomer", "newcomer@example.org")
league = open_league(name="Summer", slug="summer", organiser=User.objects.get(username="organiser"))
print(json.dumps([token_create(owner=newcomer, name="peck"), league.slug]))
"""


@pytest.fixture(scope="module")
def running() -> Iterator[StartedSite]:
    with site("--no-demo", "--workers", "1") as running:
        yield running


def test_a_newcomer_gets_from_the_page_to_a_league(
    running: StartedSite, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The commands are those that the page shows; nothing else is typed but the token."""
    made = subprocess.run(
        [sys.executable, "manage.py", "shell", "--no-imports", "-c", MAKE],
        env=running.environment,
        capture_output=True,
        text=True,
        check=True,
    )
    token, league = json.loads(made.stdout.splitlines()[-1])
    with urllib.request.urlopen(f"{running.url}/docs/bots/") as answer:
        page = answer.read().decode()
    (shown,) = re.findall(r"<code>(pip install .*?)</code>", page, re.DOTALL)
    commands = [*shown.strip().splitlines(), f"peck join {league} my-bot", "peck status"]
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    environment = {
        "PATH": f"{tmp_path / 'venv' / 'bin'}:{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
    }
    began, used, transcript = monotonic(), _used(), []
    folder = tmp_path
    for command in commands:
        if command.startswith("cd "):
            folder /= command.removeprefix("cd ")
            continue
        call = command.replace("--blocks 100", "--blocks 10 -q")
        done = subprocess.run(
            call.split(), cwd=folder, env=environment, input=f"{token}\n", capture_output=True, text=True, timeout=300
        )
        transcript.append(f"$ {call}\n{done.stdout}{done.stderr}")
        assert done.returncode == 0, "\n".join(transcript)
    spent = _used() - used
    with capsys.disabled():
        print("\n".join(["", *transcript, f"{monotonic() - began:.1f} s, {spent:.1f} s of processor time"]))
    assert "my-bot has joined summer" in transcript[-2]
    assert "my-bot: pickomino, version 1" in transcript[-1]
    assert spent < SECONDS


def _used() -> float:
    children = getrusage(RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime
