"""The games of a check: the author of the upload watches them, before the verdict and after it."""

import json
import re
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import quote

import pytest
from django.test import Client
from django.urls import reverse

from bots.checks import version_check_begin
from bots.deletion import version_delete
from bots.models import BotVersion, VersionState
from bots.packages import version_packages_drop
from games.catalogue import current
from games.protocol import PlatformFault
from matches.models import CheckGame
from matches.referee.trial import GAMES_MOST, trial_house_opponent, trial_of_version
from matches.retention import retention_check_games_drop
from matches.tasks import matches_qualify_version_task
from matches.worker.qualification import qualification_game_store
from peck.__main__ import main
from tests.arena.factories import UserFactory
from tests.bots.factories import BotFactory, BotVersionFactory
from tests.bots.test_permissions import token_of
from tests.matches.factories import BRISK, CRASHES
from tests.matches.in_process import InProcessCage

pytestmark = pytest.mark.django_db
LATE = b"""
class Bot:
    def __init__(self, table):
        self.turns = 0

    def act(self, view):
        self.turns += 1
        if self.turns > 5:
            raise ValueError
        return view["actions"][0]
"""


@pytest.fixture(autouse=True)
def _by_hand(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.CHECK_SECONDS = 600  # time for all games, however slow this machine is
    settings.LEASE_SECONDS = 1000  # a heartbeat's own connection cannot see what a test has not committed
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    monkeypatch.setattr("matches.worker.qualification.worker_process_cage", InProcessCage)


def upload(source: bytes, game: str = "pickomino") -> BotVersion:
    return BotVersionFactory(bot=BotFactory(game=game), open=True, package=source)


def page(person: Any, version: BotVersion, stage: str = "mirror", index: int | None = None) -> Any:
    client = Client()
    if person:
        client.force_login(person)
    where = [version.bot.slug, version.number, stage]
    address = reverse("bots:check", args=where) if index is None else reverse("bots:check-frames", args=[*where, index])
    return client.get(address)


def verdict(person: Any, version: BotVersion) -> str:
    client = Client()
    client.force_login(person)
    text = client.get(reverse("bots:verdict", args=[version.bot.slug, version.number])).content.decode()
    return " ".join(text.split())


@pytest.mark.parametrize("game", ["pickomino", "laghetti"])
def test_all_of_them_can_be_watched_after_the_verdict(game: str) -> None:
    version = upload(BRISK, game)
    matches_qualify_version_task()
    version.refresh_from_db()
    assert version.state == VersionState.ACCEPTED
    owner, seats = version.bot.owner, current(game).seats.start
    house = GAMES_MOST // seats * seats - seats
    for stage, title, games in (("mirror", "Against itself", seats), ("house", "Against a house bot", house)):
        assert f"{title}: watch {games} games" in verdict(owner, version)
        shown = page(owner, version, stage).content.decode()
        data = json.loads(
            shown.partition('<script id="replay-data" type="application/json">')[2].partition("</script>")[0]
        )
        assert (data["games"], len(data["seats"]), data["state"]) == (games, seats, "finished")
        assert data["frames"] == reverse("bots:check-frames", args=[version.bot.slug, 1, stage, 0]).replace(
            "/0/", "/{game}/"
        )
        assert "luck" not in data
        for index in range(games):
            frames = page(owner, version, stage, index).json()
            assert frames["game"] == index
            assert len(frames["frames"]) > 10
            assert sorted(frames["end"]["places"])[0] == 1
        assert page(owner, version, stage, games).status_code == 404
    assert page(owner, version, "nonsense").status_code == 404


def test_before_the_verdict_those_that_have_ended_can_be_watched() -> None:
    version = upload(BRISK)
    seen: list[str] = []

    def looked_at(topic: str) -> None:
        if BotVersion.objects.get(pk=version.pk).state == VersionState.CHECKING:
            seen.append(verdict(version.bot.owner, version))
            assert page(version.bot.owner, version, "mirror", 0).status_code == 200

    with patch("matches.worker.qualification.hub_announce", looked_at):
        matches_qualify_version_task()
    counts = [re.findall(r"watch (\d+) game", text) for text in seen]
    assert counts == [["1"], ["2"], *(["2", str(games)] for games in range(1, GAMES_MOST - 1))]


def test_the_game_of_a_fault_is_there_with_the_stand_in_that_played_on() -> None:
    version = upload(LATE)
    matches_qualify_version_task()
    version.refresh_from_db()
    assert version.state == VersionState.REFUSED
    frames = page(version.bot.owner, version, "mirror", 0).json()["frames"]
    assert "crashed" in {frame[2] for frame in frames}
    assert "Against itself: watch 1 game<" in verdict(version.bot.owner, version)


@pytest.mark.parametrize(
    ("source", "game", "word"),
    [(LATE, "pickomino", "decision 6"), (CRASHES, "laghetti", "decision 1"), (b"1 / 0\n", "pickomino", "at the start")],
)
def test_a_failed_check_happens_again_from_its_file_and_its_page_links_the_browser(
    source: bytes,
    game: str,
    word: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("web.pyodide.pyodide_address", lambda: "/static/pyodide/")  # as where npm has brought it
    version = upload(source, game)
    matches_qualify_version_task()
    version.refresh_from_db()
    where = [version.bot.slug, version.number]
    file, of_then = reverse("bots:check-failure", args=where), reverse("bots:source", args=where)
    verdict_text = verdict(version.bot.owner, version)
    link = f"{reverse('playground')}?failure={quote(file)}&amp;version={quote(of_then)}"
    assert link in verdict_text
    assert link not in verdict(UserFactory(is_staff=True), version)
    client = Client()
    client.force_login(version.bot.owner)
    (tmp_path / "failure-check-1.zip").write_bytes(client.get(file).content)
    token = {"authorization": f"Token {token_of(version.bot.owner)}"}
    download = Client().get(reverse("api:check-failure", args=where), headers=token)
    assert download.content == client.get(file).content
    assert "peck.pyz replay failure-check-1.zip bot.py" in verdict_text
    (tmp_path / "bot.py").write_bytes(source)
    assert main(["replay", str(tmp_path / "failure-check-1.zip"), str(tmp_path / "bot.py")]) == 3
    output = capsys.readouterr().out
    assert re.match(r"the check, game 1, seat [A-Z], on the site: \w+\n", output), output
    assert f"it happens again, {word}" in output


@pytest.mark.django_db(transaction=True)
def test_peck_fetches_the_failure_of_the_check_that_refused_the_newest_version(
    live_server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    version = upload(CRASHES)
    matches_qualify_version_task()
    monkeypatch.setenv("PECK_SITE", live_server.url)
    monkeypatch.setenv("PECK_TOKEN", token_of(version.bot.owner))
    monkeypatch.chdir(tmp_path)
    assert main(["failure", version.bot.slug]) == 0
    printed = capsys.readouterr().out
    assert "version 1: refused" in printed
    assert "peck replay failure-check-1.zip bot.py" in printed
    assert main(["failure", version.bot.slug, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["version"]["state"], found["file"]) == ("refused", "failure-check-1.zip")
    Path("bot.py").write_bytes(CRASHES)
    assert main(["replay", "failure-check-1.zip", "bot.py"]) == 3
    assert main(["failure", version.bot.slug, "--match", "1"]) == 0
    assert "no failure" in capsys.readouterr().out
    BotVersionFactory(bot=version.bot)  # an accepted one: there is nothing to mend in a check
    assert main(["failure", version.bot.slug]) == 0
    assert capsys.readouterr().out == "no failure\n"


def test_the_file_of_a_failed_check_is_its_authors_alone_and_there_is_none_of_one_that_passed() -> None:
    version, passed = upload(CRASHES), upload(BRISK)
    matches_qualify_version_task()
    matches_qualify_version_task()
    people = {version.bot.owner: 200, UserFactory(is_staff=True): 404, UserFactory(is_organiser=True): 404, None: 302}

    def status_of(person: Any, one: BotVersion) -> int:
        client = Client()
        if person:
            client.force_login(person)
        return client.get(reverse("bots:check-failure", args=[one.bot.slug, one.number])).status_code

    assert {person: status_of(person, version) for person in people} == people
    assert status_of(passed.bot.owner, passed) == 404
    CheckGame.objects.filter(version=version).delete()
    assert status_of(version.bot.owner, version) == 404, "the game is no longer kept"


def test_nobody_else_can_watch_them() -> None:
    version = upload(CRASHES)
    matches_qualify_version_task()
    staff = UserFactory(is_staff=True)
    people = {version.bot.owner: 200, staff: 200, UserFactory(): 404, UserFactory(is_organiser=True): 404, None: 302}
    for index in (None, 0):
        assert {person: page(person, version, "mirror", index).status_code for person in people} == people
    assert "watch" in verdict(staff, version)
    assert "watch" not in verdict(UserFactory(), version)


def test_an_attempt_that_was_void_leaves_nothing_to_watch() -> None:
    version = upload(BRISK)

    once = [PlatformFault("the zygote died"), None]
    with patch("matches.worker.qualification.hub_announce", side_effect=once):
        matches_qualify_version_task()
    assert version_check_begin(version_id=version.pk) == 2
    assert CheckGame.objects.filter(version=version).count() == 1
    assert page(version.bot.owner, version, "mirror", 0).status_code == 404
    games: list[tuple[str, Any]] = []
    trial_of_version(
        version.files(),
        trial_house_opponent("pickomino"),
        bytes(32),
        current("pickomino"),
        InProcessCage(),
        seconds=600,
        played_out=lambda stage, game: games.append((stage, game)),
    )
    for _twice in range(2):
        for stage, game in games:
            qualification_game_store(version_id=version.pk, attempt=2, stage=stage, game=game)
    qualification_game_store(version_id=version.pk, attempt=1, stage="house", game=games[0][1])  # too late
    stages = [game.stage for game in CheckGame.objects.filter(attempt=2)]
    assert stages == ["mirror"] * 2 + ["house"] * (GAMES_MOST - 2)
    assert page(version.bot.owner, version, "mirror", 0).status_code == 200
    assert retention_check_games_drop() == 2
    assert retention_check_games_drop() == 0


def test_they_go_with_the_version_and_its_file() -> None:
    versions = [upload(BRISK), upload(BRISK), upload(BRISK)]
    for _ in versions:
        matches_qualify_version_task()
    stored, deleted, dropped = versions
    BotVersionFactory(bot=deleted.bot)
    assert version_delete(version=deleted)
    assert page(deleted.bot.owner, deleted, "mirror", 0).status_code == 404, "at once"
    version_packages_drop(BotVersion.objects.filter(pk__in=[deleted.pk, dropped.pk]))
    retention_check_games_drop()
    assert set(CheckGame.objects.values_list("version", flat=True)) == {stored.pk}
