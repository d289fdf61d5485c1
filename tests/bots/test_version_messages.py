"""The line with which an author says what changed: where it is given, who reads it, how long it stays."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from arena.accounts.tokens import token_create
from bots.deletion import version_delete
from bots.models import Bot, BotVersion
from bots.packages import packages_refused_prune
from peck.__main__ import main
from peck.bots import peck_bots_packed
from tests.bots.factories import SOURCE, AuthorFactory, BotFactory, BotVersionFactory
from tests.leagues.factories import open_league
from tests.teams.factories import team_of

pytestmark = pytest.mark.django_db

MESSAGE = "rolls once more <when> behind"


def a_file() -> SimpleUploadedFile:
    return SimpleUploadedFile("bot.py", SOURCE)


@pytest.fixture
def bot() -> Bot:
    cache.clear()
    return BotFactory.create()


def test_it_is_sent_with_the_file_and_shown_in_the_list(bot: Bot, client: Client) -> None:
    client.force_login(bot.owner)
    client.post(reverse("bots:upload", args=[bot.slug]), {"file": a_file(), "message": MESSAGE})
    assert BotVersion.objects.get().message == MESSAGE
    for name, args in (("detail", [bot.slug]), ("version", [bot.slug, 1])):
        assert "rolls once more &lt;when&gt; behind" in client.get(reverse(f"bots:{name}", args=args)).content.decode()


@pytest.mark.parametrize("bad", ["x" * 201, "a\u202eb"])
def test_it_is_one_short_visible_line(bad: str, bot: Bot, client: Client) -> None:
    client.force_login(bot.owner)
    response = client.post(reverse("bots:upload", args=[bot.slug]), {"file": a_file(), "message": bad})
    assert response.status_code == 422
    headers = {"authorization": f"Token {token_create(owner=bot.owner, name='x')}"}
    answer = client.post(reverse("api:versions", args=[bot.slug]), {"file": a_file(), "message": bad}, headers=headers)
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, "message")
    assert not BotVersion.objects.exists()


@pytest.mark.parametrize(
    ("who", "page", "api"),
    [
        ("anonymous", False, False),
        ("stranger", False, False),
        ("owner", True, True),
        ("member", True, True),
        ("organiser", False, False),
        ("staff", True, False),
    ],
)
def test_it_is_visible_to_readers_of_the_report(who: str, page: bool, api: bool, client: Client) -> None:
    cache.clear()
    member = AuthorFactory.create()
    bot = BotFactory.create(owner=team_of(member).account if who == "member" else AuthorFactory.create())
    BotVersionFactory.create_batch(2, bot=bot, message=MESSAGE)
    people = {
        "stranger": BotFactory.create().owner,
        "owner": bot.owner,
        "member": member,
        "organiser": AuthorFactory.create(is_organiser=True),
        "staff": AuthorFactory.create(is_staff=True, is_superuser=True),
    }
    if who != "anonymous":
        client.force_login(people[who])
    for name, args in (("detail", [bot.slug]), ("version", [bot.slug, 1]), ("verdict", [bot.slug, 1])):
        text = "rolls once more" in client.get(reverse(f"bots:{name}", args=args)).content.decode()
        assert text == (page and name != "verdict"), name
    token = {} if who == "anonymous" else {"authorization": f"Token {token_create(owner=people[who], name='x')}"}
    listed = client.get(reverse("api:versions", args=[bot.slug]), headers=token).json()["results"]
    one = client.get(reverse("api:version", args=[bot.slug, 1]), headers=token).json()
    assert {line["message"] for line in (*listed, one)} == {MESSAGE if api else None}


def test_a_refused_version_keeps_it_and_a_deleted_one_does_not(bot: Bot) -> None:
    refused = BotVersionFactory.create_batch(5, bot=bot, refused=True, message=MESSAGE)
    assert packages_refused_prune() == 2
    assert set(BotVersion.objects.values_list("message", flat=True)) == {MESSAGE}
    version_delete(version=refused[0])
    assert BotVersion.objects.get(number=1).message == ""


def test_peck_sends_it(
    live_server: Any, bot: Bot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    monkeypatch.setattr("peck.site.VERDICT_WITHIN", 0)
    monkeypatch.setenv("PECK_SITE", live_server.url)
    monkeypatch.setenv("PECK_TOKEN", token_create(owner=bot.owner, name="x"))
    (tmp_path / "bot.py").write_bytes(SOURCE)
    message = "stoppt früher — „24“"
    assert main(["upload", bot.slug, str(tmp_path), "-m", message]) == 1, "not checked yet"
    assert BotVersion.objects.get().message == message
    (tmp_path / "bot.py").write_bytes(SOURCE + b"# 2\n")
    assert main(["upload", bot.slug, str(tmp_path), "-m", "two\nlines"]) != 0
    assert "--message" in capsys.readouterr().err
    assert BotVersion.objects.count() == 1


def test_peck_lists_versions_and_goes_back(
    live_server: Any, bot: Bot, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PECK_SITE", live_server.url)
    monkeypatch.setenv("PECK_TOKEN", token_create(owner=bot.owner, name="x"))
    first = BotVersionFactory.create(bot=bot, message=MESSAGE)
    BotVersionFactory.create(bot=bot, refused=True)
    BotVersionFactory.create(bot=bot)
    assert main(["versions", bot.slug]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(" ")[0] for line in lines] == ["v3", "v2", "v1"]
    assert lines[0].endswith("accepted, current")
    assert lines[2].endswith(f"accepted: {MESSAGE}")
    assert main(["versions", bot.slug, "--json", "--most", "1"]) == 0
    assert [one["number"] for one in json.loads(capsys.readouterr().out)] == [3]
    assert main(["rollback", bot.slug, "2"]) == 4
    assert main(["rollback", bot.slug, "9"]) == 4
    assert main(["rollback", bot.slug]) == 0
    assert Bot.objects.get().current == first
    assert main(["rollback", bot.slug]) == 1
    assert "no accepted version before" in capsys.readouterr().err


def test_peck_lists_leagues_and_tournaments(
    live_server: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PECK_SITE", live_server.url)
    assert main(["tournaments"]) == 0
    assert capsys.readouterr().out == "no tournaments yet\n"
    league = open_league()
    assert main(["leagues"]) == 0
    assert capsys.readouterr().out.startswith(f"{league.slug}: {league.name}, pickomino, ")
    assert main(["leagues", "--json"]) == 0
    assert [one["slug"] for one in json.loads(capsys.readouterr().out)] == [league.slug]


def test_a_virtual_environment_stays_at_home(tmp_path: Path) -> None:
    for file in ("bot.py", "helper.py", "env/pyvenv.cfg", "env/lib/other.py", ".git/config", "__pycache__/a.pyc"):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_bytes(SOURCE)
    _name, data = peck_bots_packed(tmp_path)
    with ZipFile(BytesIO(data)) as archive:
        assert archive.namelist() == ["bot.py", "helper.py"]
