"""The API from outside: the example in docs/reference/api.md, and ``peck`` against a site."""

import json
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bots.checks import version_check_accept, version_check_begin, version_check_refuse
from bots.models import BotVersion, VersionState
from leagues.services import season_refit, season_schedule
from matches.models import Fault
from peck import site as remote
from peck.__main__ import main
from tests.arena.openapi import description, readings
from tests.bots.factories import BotFactory, BotVersionFactory
from tests.bots.test_permissions import token_of
from tests.leagues.factories import open_league, play, season_of, worker_up
from tests.matches.factories import CRASHES, FinishedMatchFactory

pytestmark = pytest.mark.django_db
PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "api.md"


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def test_the_page_names_every_address_that_can_be_read() -> None:
    listed = re.findall(r"^\| `([^`]+)` \| [^|]+ \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    addresses = [re.sub(r"\{\w+\}", "*", path.removeprefix("/api/")) for path in readings() if path != "/api/"]
    assert sorted(re.sub("[A-Z]{2,}", "*", one) for one in listed) == sorted(addresses)


def test_the_page_names_every_address_that_something_is_sent_to() -> None:
    prose = re.sub("```.*?```", "", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    code = re.findall(r"`([^`]+)`", prose)
    named = {re.sub("[A-Z]{2,}", "*", word) for one in code for word in one.split() if "/" in word}
    sent_to = [
        re.sub(r"\{\w+\}", "*", path)
        for path, methods in description()["paths"].items()
        if methods.keys() & {"post", "put", "patch", "delete"}
    ]
    ends = tuple(f"/{one}" for one in named if re.search("[a-z]", one))
    assert [path for path in sent_to if not path.endswith(ends)] == []


def test_the_refusal_that_the_page_shows_is_the_one_that_comes(client: Any) -> None:
    (shown,) = re.findall(
        r"```json\n({\n  \"type\": \"about:blank.*?)\n```", PAGE.read_text(encoding="utf-8"), re.DOTALL
    )
    assert client.get("/api/matches/", {"stat": "finished"}).json() == json.loads(shown)


def test_the_example_on_the_page_runs(live_server: Any) -> None:
    league = open_league(bots=3, name="Yard")
    worker_up()
    season_schedule(season_id=season_of(league).pk)
    strengths = dict.fromkeys(league.memberships.values_list("bot", flat=True), 0.0)
    play(season_of(league), strengths, random.Random(1))
    season_refit(season_id=season_of(league).pk)
    first = r"```python\n(import json\nfrom collections.*?)```"
    (example,) = re.findall(first, PAGE.read_text(encoding="utf-8"), re.DOTALL)
    here = example.replace(remote.HERE, live_server.url)
    assert here != example
    done = subprocess.run([sys.executable, "-c", here], capture_output=True, text=True, check=False, timeout=60)
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines
    assert all(re.fullmatch(r"Yard: Bot \d+ v1, \d+ ± \d+", line) for line in lines)


@pytest.fixture
def mine(live_server: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A bot whose author calls ``peck``."""
    bot = BotFactory()
    monkeypatch.setenv("PECK_SITE", f"{live_server.url}/")
    monkeypatch.setenv("PECK_TOKEN", token_of(bot.owner))
    return bot


def test_peck_uploads_and_waits_for_the_verdict(
    mine: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def check(_seconds: float) -> None:
        version = BotVersion.objects.get(state=VersionState.QUEUED)
        attempt = version_check_begin(version_id=version.pk)
        assert attempt
        verdict = version_check_refuse if b"boom" in bytes(version.package.content) else version_check_accept
        verdict(version_id=version.pk, attempt=attempt, report={"verdict": "crashed", "detail": "bo\x1b[2Jom"})

    monkeypatch.setattr(remote, "sleep", check)
    (good := tmp_path / 'my "bot"\n.py').write_text("def act(view):\n    return view['actions'][0]\n")
    (bad := tmp_path / "bad.py").write_text("def act(view):\n    boom\n")
    assert main(["upload", mine.slug, str(good)]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "version 1: accepted"
    assert main(["upload", mine.slug, str(bad)]) == 3
    output = capsys.readouterr().out
    assert output.splitlines()[:2] == ["version 2: refused", "crashed"]
    assert "\x1b" not in output
    bad.write_text("def act(:")
    assert main(["upload", mine.slug, str(bad)]) == 3
    assert "line 1" in capsys.readouterr().err

    (folder := tmp_path / "crow").mkdir()
    assert main(["upload", mine.slug, str(folder)]) == 2
    assert "has no bot.py" in capsys.readouterr().err
    (folder / "bot.py").write_text("from helper import act\n")
    (folder / "helper.py").write_text("def act(view):\n    return view['actions'][-1]\n")
    (folder / "opponents").mkdir()
    (folder / "opponents/other.py").write_text("")
    assert main(["upload", mine.slug, str(folder)]) == 0
    assert sorted(mine.versions.latest("number").files()) == ["bot.py", "helper.py"]


def test_peck_brings_a_failure_home_to_replay_it(
    mine: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["failure", mine.slug]) == 0
    assert capsys.readouterr().out == "no failure\n"
    rival = BotVersionFactory()
    match = FinishedMatchFactory(seats=[BotVersionFactory(bot=mine, source=CRASHES), rival])
    assert main(["results", mine.slug]) == 0
    text = (
        f"match {match.pk}: v1 against {rival.bot.name} v1: 0% of the opponents beaten in 2 games, 2 games with faults"
    )
    assert capsys.readouterr().out == f"{text}\n"
    assert main(["failure", mine.slug, "--match", str(match.pk)]) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"match {match.pk}, game 1, action 1: v1\nThe bot raised an exception.")
    file = f"failure-{match.pk}-1.zip"
    assert f"peck replay {file} bot.py" in text
    assert main(["failure", mine.slug, "--match", str(match.pk), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["failure"]["match"], found["file"]) == (match.pk, file)
    Path("bot.py").write_bytes(CRASHES)
    assert main(["replay", file, "bot.py"]) == 3
    assert "it happens again, decision 1: crashed, line 2: ValueError: no idea" in capsys.readouterr().out
    assert main(["failure", mine.slug, "--view", "view.json"]) == 0
    assert main(["replay", "bot.py", "view.json"]) == 3
    assert "crashed, line 2: ValueError: no idea" in capsys.readouterr().out
    Fault.objects.update(is_kept=False, view=None)
    assert main(["failure", mine.slug, "--file", "again.zip"]) == 0
    assert "no longer stored" in capsys.readouterr().out
    assert not Path("again.zip").exists()


@pytest.mark.parametrize("site", ["nonsense", "http://127.0.0.1:1", "http://a b"])
def test_peck_says_when_there_is_no_site(
    site: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PECK_SITE", site)
    assert main(["results", "rooster"]) == 4
    assert f"{site}: no answer that makes sense" in capsys.readouterr().err


def test_peck_reports_errors_of_the_site_and_follows_no_redirect(
    mine: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["failure", "somebody-elses"]) == 4
    assert "BOT 'somebody-elses': you have no such bot at " in capsys.readouterr().err
    monkeypatch.setenv("PECK_TOKEN", "")
    assert main(["failure", mine.slug]) == 4
    assert "this needs a token, and none is known for " in capsys.readouterr().err
    monkeypatch.setattr(remote.Site, "_answer", lambda *_args: (302, b""))
    assert main(["results", mine.slug]) == 4
    assert "status 302" in capsys.readouterr().err
