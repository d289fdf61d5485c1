"""``peck`` and a site: sign in, create, enter, withdraw, join, leave; and what goes wrong, each in a sentence."""

import io
import json
from hashlib import sha256
from os import environ
from pathlib import Path
from typing import Any

import pytest

from arena.accounts.tokens import token_create
from bots.models import Bot
from bots.services import bot_create, version_make_current
from games.version import VERSION
from groups.models import RosterRow
from groups.services import group_invitation_create
from peck import connection
from peck import site as remote
from peck.__main__ import main
from peck.account import peck_account_path
from tests.arena.factories import UserFactory
from tests.bots.factories import BotVersionFactory
from tests.groups.factories import GroupFactory
from tests.leagues.factories import open_league
from tests.teams.factories import team_of
from tests.tournaments.factories import TournamentFactory, bot_of

pytestmark = pytest.mark.django_db
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("PECK_SITE", raising=False)
    monkeypatch.delenv("PECK_TOKEN", raising=False)


def login(site: str, token: str, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{token}\n"))
    return main(["login", site])


class Terminal(io.StringIO):
    """What is typed there."""

    def isatty(self) -> bool:
        return True


def test_an_earlier_file_needs_confirmation(
    live_server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    (file := tmp_path / "bot.py").write_bytes(b"def act(view):\n    return view['actions'][0]\n")
    old = BotVersionFactory(sha256=sha256(file.read_bytes()).hexdigest())
    newer = BotVersionFactory(bot=old.bot)
    monkeypatch.setenv("PECK_SITE", live_server.url)
    monkeypatch.setenv("PECK_TOKEN", token_create(owner=old.bot.owner, name="x"))
    upload, known = ["upload", old.bot.slug, str(file)], "this file is already version 1; version 2 is current"

    def answers(typed: str | None) -> tuple[int, str, int]:
        monkeypatch.setattr("sys.stdin", io.StringIO() if typed is None else Terminal(typed))
        code = main(upload)
        current = Bot.objects.get(pk=old.bot_id).current
        return code, capsys.readouterr().err, current.number if current else 0

    code, error, current = answers(None)
    assert (code, current) == (1, 2)
    assert f"{known} and stays so" in error
    for no in ("", "n\n", "no\n", "version 1\n"):
        code, error, current = answers(no)
        assert (code, current) == (1, 2)
        assert f"{known}: make version 1 current? [y/N]" in error
    assert answers("y\n")[::2] == (0, 1)
    assert answers(None)[::2] == (0, 1), "it is current, so there is nothing to ask"
    version_make_current(version=newer)
    upload.append("--current")
    assert answers(None)[::2] == (0, 1)


def test_an_author_does_all_of_it(live_server: Any, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    author = UserFactory(username="rosa")
    league, cup, bot = open_league(), TournamentFactory(), bot_of(author)
    assert login(f"{live_server.url}/", token_create(owner=author, name="x"), monkeypatch) == 0
    assert "signed in as rosa" in capsys.readouterr().out
    noted = peck_account_path(environ)
    assert [one.name for one in noted.parent.iterdir()] == [noted.name]
    assert noted.stat().st_mode & 0o777 == 0o600
    for call, words in (
        (["create", "Crow of mine", "karteneck"], "crow-of-mine: created"),
        (["join", league.slug, bot.slug], f"{bot.slug} has joined {league.slug}"),
        (["leave", league.slug, bot.slug], f"{bot.slug} has left {league.slug}"),
        (["enter", cup.slug, bot.slug], f"{bot.slug} is entered in {cup.slug}"),
        (["withdraw", cup.slug, bot.slug], f"{bot.slug} is withdrawn from {cup.slug}"),
        (["following"], "you follow nothing: peck follow KIND NAME"),
        (["follow", "tournament", cup.slug], f"you follow tournament {cup.slug}: {cup.name}"),
        (["follow", "bot", bot.slug], f"you follow bot {bot.slug}: {bot.name}"),
        (["following"], f"bot {bot.slug}: {bot.name}\ntournament {cup.slug}: {cup.name}\n"),
        (["unfollow", "bot", bot.slug], f"you do not follow bot {bot.slug}"),
        (["status"], "crow-of-mine: karteneck, no accepted version"),
    ):
        assert main(call) == 0, capsys.readouterr()
        assert words in capsys.readouterr().out
    for call, words in (
        (["create", "Crow of mine", "karteneck"], "Crow of mine"),
        (["leave", league.slug, bot.slug], "has left the league already"),
        (["withdraw", cup.slug, bot.slug], "withdrawn already"),
        (["create", "Hen", "pickomino", "--group", "nowhere"], "alias in a group"),
        (["follow", "league", "nowhere"], f"NAME 'nowhere': there is no such league at {live_server.url} that you may"),
        (["join", "nowhere", bot.slug], f"LEAGUE 'nowhere': there is no such league at {live_server.url}: "),
    ):
        assert main(call) == 4
        output = capsys.readouterr()
        assert (words in output.err, output.out) == (True, "")


def test_groups_are_listed_and_joined_and_teams_get_bots(
    live_server: Any, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    group, author = GroupFactory(slug="class-10b", name="Class 10b", uses_aliases=True), UserFactory(username="ada")
    teacher: Any = group.created_by
    RosterRow.objects.create(group=group, name="Ben Birch", roster_id="17")
    code = group_invitation_create(group=group, by=teacher, kind="code", days=7, uses=3).token
    team = team_of(author, name="Hen House")
    monkeypatch.setenv("PECK_SITE", live_server.url)

    def output_of(person: Any, *words: str, code: int = 0) -> str:
        monkeypatch.setenv("PECK_TOKEN", token_create(owner=person, name="x"))
        assert main(list(words)) == code
        printed = capsys.readouterr()
        return str(printed.err if code else printed.out)

    assert "you are in no group" in output_of(author, "groups")
    assert "does not work" in output_of(author, "groups", "--join", "AAAA-AAAA", code=4)
    output_of(author, "groups", "class-10b", code=4)
    assert (
        output_of(author, "groups", "--join", f"{live_server.url}/join/{code}/")
        == "you are in class-10b: Class 10b, member\n"
    )
    GroupFactory(slug="aaa", name="Aaa", is_listed=True)
    assert output_of(author, "groups", "--most", "1") == "class-10b: Class 10b, member\n"
    assert "Ben Birch" not in output_of(author, "groups", "class-10b"), "the roster is for staff"
    shown = output_of(teacher, "groups", "class-10b")
    assert "Ben Birch: has not joined (17)" in shown
    document = json.loads(output_of(teacher, "groups", "class-10b", "--json"))
    assert {len(document["members"]), len(document["expected"])} == {2, 1}
    output_of(author, "create", "Hen", "pickomino", "--team", team.slug)
    assert Bot.objects.get(name="Hen").owner_id == team.pk
    assert "not a member of a team" in output_of(teacher, "create", "Owl", "pickomino", "--team", team.slug, code=4)


def test_joining_a_league_that_enters_its_bots_in_cups_is_agreed_to_first(
    live_server: Any, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    author = UserFactory()
    league, bot = open_league(enters_cups=True), bot_of(author)
    monkeypatch.setenv("PECK_SITE", live_server.url)
    monkeypatch.setenv("PECK_TOKEN", token_create(owner=author, name="x"))
    join = ["join", league.slug, bot.slug]
    for typed, code in (("", 1), ("n\n", 1), ("y\n", 0)):
        monkeypatch.setattr("sys.stdin", Terminal(typed) if typed else io.StringIO())
        assert main(join) == code
        errors = capsys.readouterr().err
        assert "agrees that its organiser enters the bot in the league's cups" in errors
        assert league.memberships.filter(bot=bot, state="active").exists() is (code == 0)
    assert main(["leave", league.slug, bot.slug]) == 0
    assert main([*join, "--cups"]) == 0


@pytest.mark.parametrize("token", ["", "peck_wrong", "\N{BIRD}", "x" * 5000])
def test_a_wrong_token_is_reported_and_not_stored(
    token: str, live_server: Any, monkeypatch: pytest.MonkeyPatch, capsys: Capture, tmp_path: Path
) -> None:
    assert login(live_server.url, token, monkeypatch) == 4
    printed = capsys.readouterr()
    assert (printed.out, len(printed.err.splitlines())) == ("", 1)
    assert not (tmp_path / "config").exists()


def test_a_noted_token_goes_to_its_site_alone(
    live_server: Any, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    author = UserFactory()
    assert login(live_server.url, token_create(owner=author, name="x"), monkeypatch) == 0
    other = live_server.url.replace("localhost", "127.0.0.1")
    assert other != live_server.url
    monkeypatch.setenv("PECK_SITE", other)
    assert main(["status"]) == 4
    assert capsys.readouterr().err == f"this needs a token, and none is known for {other}: peck login {other}\n"


def test_an_expired_token_is_reported(live_server: Any, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv("PECK_SITE", live_server.url)
    monkeypatch.setenv("PECK_TOKEN", token_create(owner=UserFactory(), name="x", days=-1))
    assert main(["status"]) == 4
    assert "token" in capsys.readouterr().err.lower()


def test_an_unreachable_site_is_reported(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    assert login("http://127.0.0.1:1", "peck_x", monkeypatch) == 4
    assert "http://127.0.0.1:1: no answer that makes sense" in capsys.readouterr().err


def test_a_site_of_another_version_is_reported_once(
    live_server: Any, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    connection._warn_of_version.cache_clear()
    monkeypatch.setattr(connection, "VERSION", "0.0.9")
    monkeypatch.setenv("PECK_SITE", live_server.url)
    monkeypatch.setenv("PECK_TOKEN", token_create(owner=UserFactory(), name="x"))
    for count in (1, 0):
        assert main(["status"]) == 0
        assert capsys.readouterr().err.count(f"the site is of version {VERSION}, this peck of 0.0.9") == count
    connection._warn_of_version.cache_clear()


def test_a_login_that_cannot_be_stored_is_reported(
    live_server: Any, monkeypatch: pytest.MonkeyPatch, capsys: Capture, tmp_path: Path
) -> None:
    (tmp_path / "config").write_text(json.dumps({}))
    assert login(live_server.url, token_create(owner=UserFactory(), name="x"), monkeypatch) == 1
    assert "config" in capsys.readouterr().err


@pytest.fixture
def author(live_server: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """An author with two bots, whose token the environment has; others have bots, a league and a tournament."""
    author = UserFactory()
    for name in ("Rooster", "Crow"):
        BotVersionFactory(bot=bot_create(owner=author, name=name, game="pickomino"))
    bot_create(owner=UserFactory(), name="Magpie", game="pickomino")
    open_league(name="Summer yard", slug="summer-yard")
    TournamentFactory(name="Spring Cup", slug="spring-cup")
    monkeypatch.setenv("PECK_SITE", live_server.url)
    monkeypatch.setenv("PECK_TOKEN", token_create(owner=author, name="x"))
    return author


@pytest.mark.usefixtures("author")
@pytest.mark.parametrize(
    ("call", "error"),
    [
        ("upload rosster bot.py", "BOT 'rosster': you have no such bot at SITE: did you mean rooster?"),
        ("upload magpie bot.py", "BOT 'magpie': you have no such bot at SITE: there are crow, rooster"),
        ("failure Rooster!", "BOT 'Rooster!': you have no such bot at SITE: did you mean rooster?"),
        ("logs crw", "BOT 'crw': you have no such bot at SITE: did you mean crow?"),
        ("results nobody", "BOT 'nobody': you have no such bot at SITE: there are crow, rooster"),
        ("join summer-yrd rooster", "LEAGUE 'summer-yrd': there is no such league at SITE: did you mean summer-yard?"),
        ("join summer-yard rosster", "BOT 'rosster': you have no such bot at SITE: did you mean rooster?"),
        ("leave summer-yard crow", "BOT 'crow': no bot of this name has joined summer-yard"),
        ("enter cup crow", "TOURNAMENT 'cup': there is no such tournament at SITE: there are spring-cup"),
        ("enter spring-cup cro", "BOT 'cro': you have no such bot at SITE: did you mean crow?"),
        ("withdraw spring-cup crow", "BOT 'crow': no bot of this name is entered in spring-cup"),
        ("spar roster", "BOT 'roster': you have no such bot at SITE: did you mean rooster?"),
        ("spar rooster wise-oul", "OPPONENT 'wise-oul': there is no such bot at SITE: did you mean wise-owl?"),
        ("create Crow chess", "GAME: chess is not one of the choices: "),
        ("create x\u202ey picomino", "NAME: "),
    ],
)
def test_a_refusal_names_the_argument_and_what_it_could_have_been(
    call: str, error: str, live_server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text("def act(view):\n    return view['actions'][0]\n")
    assert main(call.split(" ")) in (2, 4)
    printed = capsys.readouterr()
    assert (printed.err.splitlines()[0].startswith(error.replace("SITE", live_server.url)), printed.out) == (
        True,
        "",
    ), printed
    assert "send your token" not in printed.err


@pytest.mark.usefixtures("author")
def test_two_wrong_arguments_are_both_reported(capsys: Capture) -> None:
    assert main(["create", "x" * 41, "chess"]) == 4
    assert {part.partition(":")[0].strip() for part in capsys.readouterr().err.split(";")} >= {"NAME", "GAME"}


@pytest.mark.parametrize("named", ["127.0.0.1:{}", "localhost:{}", "localhost:{}/"])
def test_an_address_without_a_scheme_is_this_machines(
    named: str, live_server: Any, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("PECK_SITE", named.format(live_server.thread.port))
    monkeypatch.setenv("PECK_TOKEN", token_create(owner=UserFactory(username="rosa"), name="x"))
    assert main(["status"]) == 0
    assert "rosa at http://" in capsys.readouterr().out


@pytest.mark.parametrize("named", ["ftp://peck.example.org", "https://", "http://[::1"])
def test_a_wrong_address_is_reported_as_a_usage_error(
    named: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    assert login(named, "peck_x", monkeypatch) == 2
    assert capsys.readouterr().err.startswith("SITE: ")
    monkeypatch.setenv("PECK_SITE", named)
    assert main(["status"]) == 2
    assert capsys.readouterr().err.startswith("PECK_SITE: ")


def test_peck_json_names_the_bot_for_every_command(
    live_server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    author, league, cup = UserFactory(), open_league(), TournamentFactory()
    monkeypatch.setenv("PECK_SITE", live_server.url)
    monkeypatch.setenv("PECK_TOKEN", token_create(owner=author, name="x"))
    monkeypatch.setattr(remote, "VERDICT_WITHIN", 0)
    monkeypatch.chdir(tmp_path)
    bot_create(owner=UserFactory(), name="Crow", game="pickomino")
    assert main(["new", "pickomino", "crow"]) == 0
    monkeypatch.chdir(tmp_path / "crow")
    assert main(["create"]) == 0
    named = json.loads(Path("peck.json").read_text())
    assert named == {"game": "pickomino", "bot": "crow-2"}
    assert main(["upload", "."]) == 1, "not checked yet"
    assert "version 1: " in capsys.readouterr().out
    bot = Bot.objects.get(slug="crow-2")
    assert bot.versions.get().filename == "bot.py"
    for number in (2, 3):
        version_make_current(version=BotVersionFactory(bot=bot, number=number))
    for call, words in (
        (["versions"], "v3 of "),
        (["results"], "no finished match"),
        (["logs"], "no stored output"),
        (["failure"], "no failure"),
        (["rollback"], "version 2 is current now"),
        (["rollback", "3"], "version 3 is current now"),
        (["join", league.slug], f"crow-2 has joined {league.slug}"),
        (["leave", league.slug], f"crow-2 has left {league.slug}"),
        (["enter", cup.slug], f"crow-2 is entered in {cup.slug}"),
        (["withdraw", cup.slug], f"crow-2 is withdrawn from {cup.slug}"),
        (["spar", "--no-wait", "--version", "3", "--against", "2"], "No answer yet"),
    ):
        assert main(call) == 0, capsys.readouterr()
        assert words in capsys.readouterr().out, call


def test_names_and_numbers_that_a_site_does_not_know_are_answered_with_those_it_knows(
    live_server: Any, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    version, cup, group = BotVersionFactory(), TournamentFactory(slug="my-cup"), GroupFactory(name="Class 10b")
    BotVersionFactory(bot=version.bot, number=2)
    slug, owner = version.bot.slug, version.bot.owner
    monkeypatch.setenv("PECK_SITE", live_server.url)
    monkeypatch.setenv("PECK_TOKEN", token_create(owner=group.created_by, name="x"))
    for call, words in (
        (
            ["groups", "clas-10b"],
            f"GROUP 'clas-10b': there is no such group at {live_server.url}: did you mean {group.slug}?",
        ),
        (
            ["dataset", "my-cop"],
            f"EVENT 'my-cop': not among the tournaments of {live_server.url}: did you mean {cup.slug}?",
        ),
        (["follow", "tournament", "a-cup"], f"did you mean {cup.slug}?"),
    ):
        assert main(call) == 4
        assert words in capsys.readouterr().err, call
    monkeypatch.setenv("PECK_TOKEN", token_create(owner=owner, name="x"))
    for call in (["download", slug, "--version", "9"], ["rollback", slug, "9"]):
        assert main(call) == 4
        assert f"{slug} has no version 9: there are 1, 2; peck versions {slug} lists them" in capsys.readouterr().err
