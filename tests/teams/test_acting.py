"""What members of a team may do with its bots, and others may not, and that all code checks it alike."""

import re
from pathlib import Path
from typing import Any, Final

import pytest
from django.core import mail
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from bots.checks import version_check_accept
from bots.models import Bot, BotVersion
from bots.services import version_upload
from contests.audience import ContestAudience, audience_bots, audience_refusal
from hooks.models import Delivery
from leagues.services import league_bot_join, league_bot_leave
from matches.models import Audience, Match
from matches.visibility import matches_visible, matches_visible_to_author
from notices.emails import due_notice_emails_send
from notices.models import Notice
from teams import services
from teams.models import TeamMember
from tests.arena.factories import OrganiserFactory, UserFactory
from tests.bots.factories import SOURCE, BotVersionFactory
from tests.bots.test_permissions import token_of
from tests.groups.factories import GroupFactory, member_in
from tests.hooks.factories import hook_of
from tests.leagues.factories import open_league
from tests.matches.factories import FinishedMatchFactory
from tests.teams.factories import team_of
from tests.tournaments.factories import TournamentFactory
from tournaments.services import entry_create, entry_withdraw
from tournaments.services.leaving import entries_withdraw_outsiders
from tournaments.services.sweep import tournaments_tend

pytestmark = pytest.mark.django_db

ROOT: Final = Path(__file__).resolve().parents[2]
WHO: Final = ("anonymous", "author", "former", "organiser", "staff", "member", "captain")
LOGIN: Final = "login"


class Cast:
    """A team with a bot of two versions, and everybody who might want something of it."""

    def __init__(self) -> None:
        cache.clear()
        self.captain, self.member, self.former = UserFactory(), UserFactory(), UserFactory()
        self.team = team_of(self.captain, self.member, self.former, name="The Hens")
        first = BotVersionFactory.create(bot__owner=self.team.account, report={"detail": "TOLD-THE-TEAM"})
        BotVersionFactory.create(bot=first.bot)
        self.bot = Bot.objects.get(pk=first.bot_id)
        services.team_member_remove(team=self.team, person_id=self.former.pk, by=self.captain)
        self.people = {
            "author": BotVersionFactory.create().bot.owner,
            "former": self.former,
            "organiser": OrganiserFactory(),
            "staff": UserFactory(is_staff=True, is_superuser=True),
            "member": self.member,
            "captain": self.captain,
        }

    def client(self, who: str) -> Client:
        client = Client()
        if who != "anonymous":
            client.force_login(self.people[who], backend="arena.accounts.backends.SpellingBackend")
        return client


@pytest.fixture
def cast() -> Cast:
    return Cast()


PAGES: Final = [
    # method, name, with version, form, and the status for each of WHO
    ("get", "edit", False, None, (LOGIN, 404, 404, 404, 404, 200, 200)),
    ("post", "edit", False, {"name": "Other"}, (LOGIN, 404, 404, 404, 404, 302, 302)),
    ("get", "upload", False, None, (LOGIN, 404, 404, 404, 404, 200, 200)),
    ("post", "upload", False, {}, (LOGIN, 404, 404, 404, 404, 302, 302)),
    ("get", "failures", False, None, (LOGIN, 404, 404, 404, 404, 200, 200)),
    ("get", "output", False, None, (LOGIN, 404, 404, 404, 200, 200, 200)),
    ("get", "costliest", False, None, (LOGIN, 404, 404, 404, 200, 200, 200)),
    ("post", "drill", False, None, (LOGIN, 404, 404, 404, 302, 302, 302)),
    ("get", "spar", False, None, (LOGIN, 404, 404, 404, 404, 200, 200)),
    ("get", "delete", False, None, (LOGIN, 404, 404, 404, 404, 200, 200)),
    ("post", "make-current", True, None, (LOGIN, 404, 404, 404, 404, 302, 302)),
    ("post", "version-delete", True, None, (LOGIN, 404, 404, 404, 404, 302, 302)),
    ("get", "source", True, None, (LOGIN, 404, 404, 404, 404, 200, 200)),
]


@pytest.mark.parametrize(("method", "name", "of_version", "form", "statuses"), PAGES)
def test_pages_of_a_teams_bot(
    method: str, name: str, of_version: bool, form: Any, statuses: tuple[Any, ...], cast: Cast
) -> None:
    address = reverse(f"bots:{name}", args=[cast.bot.slug, 1] if of_version else [cast.bot.slug])
    answers = []
    for who in WHO:
        data = (
            {**form, "file": SimpleUploadedFile("bot.py", SOURCE + b"# " + who.encode())}
            if name == "upload" and form == {}
            else form
        )
        answer = getattr(cast.client(who), method)(address, data)
        login = answer.status_code == 302 and answer["Location"].startswith(reverse("account_login"))
        answers.append(LOGIN if login else answer.status_code)
    assert tuple(answers) == statuses


API: Final = [
    ("post", "versions", (), (401, 404, 404, 404, 404, 201, 201)),
    ("patch", "bot", (), (401, 404, 404, 404, 404, 200, 200)),
    ("get", "failures", (), (401, 404, 404, 404, 404, 200, 200)),
    ("get", "output", (), (401, 404, 404, 404, 200, 200, 200)),
    ("post", "drill.jsonl", (), (401, 404, 404, 404, 202, 202, 202)),
    ("get", "timings", (), (401, 404, 404, 404, 200, 200, 200)),
    ("get", "source", (1,), (401, 404, 404, 404, 404, 200, 200)),
    ("post", "make-current", (1,), (401, 404, 404, 404, 404, 200, 200)),
]


@pytest.mark.parametrize(("method", "name", "args", "statuses"), API)
def test_operations_on_a_teams_bot(
    method: str, name: str, args: tuple[int, ...], statuses: tuple[int, ...], cast: Cast
) -> None:
    answers = []
    for who in WHO:
        headers = {} if who == "anonymous" else {"authorization": f"Token {token_of(cast.people[who])}"}
        sent: dict[str, Any] = {"headers": headers}
        if name == "versions":
            sent["data"] = {"file": SimpleUploadedFile("bot.py", SOURCE + b"# " + who.encode())}
        elif method == "patch":
            sent |= {"data": {"blurb": who}, "content_type": "application/json"}
        answers.append(
            getattr(Client(), method)(reverse(f"api:{name}", args=[cast.bot.slug, *args]), **sent).status_code
        )
    assert tuple(answers) == statuses


def test_members_read_the_report_and_have_the_bot_in_their_list(cast: Cast) -> None:
    values, listed = {}, {}
    for who in WHO:
        page = cast.client(who).get(reverse("bots:version", args=[cast.bot.slug, 1]))
        values[who] = page.context["report"] is not None
        mine = cast.client(who).get(reverse("bots:list"))
        listed[who] = mine.status_code == 200 and cast.bot.name in mine.content.decode()
    assert [who for who in WHO if values[who]] == ["staff", "member", "captain"]
    assert [who for who in WHO if listed[who]] == ["member", "captain"]


def test_a_removed_member_loses_access_at_once(cast: Cast) -> None:
    client, address = cast.client("member"), reverse("bots:upload", args=[cast.bot.slug])
    assert client.get(address).status_code == 200
    services.team_member_remove(team=cast.team, person_id=cast.member.pk, by=cast.captain)
    assert client.get(address).status_code == 404
    sent = {"file": SimpleUploadedFile("bot.py", SOURCE + b"# late")}
    assert client.post(address, sent).status_code == 404
    assert BotVersion.objects.filter(bot=cast.bot).count() == 2


def test_members_enter_and_withdraw_and_others_do_not(cast: Cast) -> None:
    cup = TournamentFactory()
    for who in ("author", "former", "organiser"):
        with pytest.raises(ValueError, match="not yours"):
            entry_create(tournament=cup, bot=cast.bot, by=cast.people[who])
    entry = entry_create(tournament=cup, bot=cast.bot, by=cast.member)
    for who in ("author", "former", "organiser"):
        with pytest.raises(ValueError, match="Only its author"):
            entry_withdraw(entry=entry, by=cast.people[who])
    assert entry_withdraw(entry=entry, by=cast.captain).is_withdrawn
    league = open_league(bots=1)
    for who in ("author", "former"):
        with pytest.raises(ValueError, match="not yours"):
            league_bot_join(league=league, bot=cast.bot, by=cast.people[who])
    joined = league_bot_join(league=league, bot=cast.bot, by=cast.captain)
    with pytest.raises(ValueError, match="Only its author"):
        league_bot_leave(membership=joined, by=cast.former)
    league_bot_leave(membership=joined, by=cast.member)


def test_two_bots_of_a_team_are_counted_as_one_authors(cast: Cast) -> None:
    cup = TournamentFactory(entries_per_author=1)
    entry_create(tournament=cup, bot=cast.bot, by=cast.member)
    second = BotVersionFactory.create(bot__owner=cast.team.account).bot
    with pytest.raises(ValueError, match="Each author"):
        entry_create(tournament=cup, bot=second, by=cast.captain)


def test_members_see_matches_for_authors(cast: Cast) -> None:
    match = FinishedMatchFactory(seats=[cast.bot.current, BotVersionFactory.create()], audience=Audience.AUTHORS)
    readers = [who for who in WHO[1:] if matches_visible(cast.people[who]).filter(pk=match.pk).exists()]
    assert readers == ["staff", "member", "captain"]


def test_each_member_gets_one_notice_and_hooks_of_their_own(
    cast: Cast, django_capture_on_commit_callbacks: Any
) -> None:
    hook_of(cast.member, kinds=["version.verdict"])
    both = team_of(cast.captain, cast.member)  # in two teams: still one notice of a cause
    version, _is_new = version_upload(bot=cast.bot, filename="bot.py", data=SOURCE + b"# third")
    BotVersion.objects.filter(pk=version.pk).update(state="checking", check_attempt=1)
    assert version_check_accept(version_id=version.pk, attempt=1, report={})
    notices = Notice.objects.filter(kind="version.verdict")
    assert sorted(notices.values_list("person", flat=True)) == sorted([cast.captain.pk, cast.member.pk])
    assert Delivery.objects.filter(hook__owner=cast.member).count() == 1
    assert both.pk not in notices.values_list("person", flat=True)


def test_emails_about_a_teams_bot_go_to_its_members(cast: Cast) -> None:
    Bot.objects.filter(pk=cast.bot.pk).update(organisers_may_enter=True)
    cup = TournamentFactory(organiser=cast.people["organiser"])
    entry_create(tournament=cup, bot=Bot.objects.get(pk=cast.bot.pk), by=cast.people["organiser"])
    assert due_notice_emails_send() == 2
    assert sorted(one.to[0] for one in mail.outbox) == sorted([cast.captain.email, cast.member.email])


def test_a_team_plays_in_a_group_if_all_of_its_people_are_in_it(cast: Cast) -> None:
    group = GroupFactory.create()
    member_in(group, cast.captain)
    cup = TournamentFactory(audience=ContestAudience.GROUP, group=group, organiser=group.created_by)
    offered = Bot.objects.filter(audience_bots(cup))
    assert audience_refusal(cup, cast.bot)
    assert cast.bot not in offered
    with pytest.raises(ValueError, match="only bots of the group"):
        entry_create(tournament=cup, bot=cast.bot, by=cast.captain)
    member_in(group, cast.member)
    assert not audience_refusal(cup, cast.bot)
    assert cast.bot in offered.all()
    entry = entry_create(tournament=cup, bot=cast.bot, by=cast.captain)
    assert entries_withdraw_outsiders(group=group) == 0
    match = FinishedMatchFactory(
        seats=[cast.bot.current, BotVersionFactory.create()], audience=Audience.GROUP, group=group
    )
    mine = Match.objects.filter(matches_visible_to_author(cast.team.pk, ""))
    assert match in mine
    TeamMember.objects.create(team=cast.team, person=cast.former)  # who is not in the group
    assert match not in mine.all()
    assert not matches_visible(cast.former).filter(pk=match.pk).exists()
    assert matches_visible(cast.member).filter(pk=match.pk).exists()
    tournaments_tend()
    entry.refresh_from_db()
    assert entry.is_withdrawn


def test_no_place_compares_an_owner_with_the_person_itself() -> None:
    """They call ``teams.selectors``; the exceptions are owners who are always people."""
    compared = re.compile(
        r"owner(?:_id)?\b\s*(?:==|!=)\s*[\w.\[\]\"']*(?:user|viewer|reader|by|author|person)\.pk"
        r"|(?:user|viewer|reader|by|author|person)(?:\"\])?\.pk\s*(?:==|!=)\s*[\w.\[\]0]*owner"
        r"|owner(?:_id)?=(?:self\.)?(?:request\.)?(?:user|viewer|by|author)\.pk"
    )
    # Hooks are a person's, and a bot is handed in by its author: people of a team may be outside the group.
    own = ("hooks/services.py", "hooks/selectors.py", "teams/selectors.py", "assignments/selectors/hand_ins.py")
    allowed = {f"platform/{name}" for name in own}
    rooms = [ROOT / name for name in ("bots", "platform", "tournaments", "templates")]
    files = [path for room in rooms for kind in ("*.py", "*.html") for path in room.rglob(kind)]
    assert len(files) > 500
    found = {
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in files
        for line in path.read_text().splitlines()
        if compared.search(line) and "name_check(" not in line and str(path.relative_to(ROOT)) not in allowed
    }
    assert found == set()
    assert compared.search("if bot.owner_id != by.pk:")
    assert compared.search('mine = context["user"].pk == bot.owner_id')
    assert compared.search("slug=slug, owner=request.user.pk)")
    assert compared.search("{% if bot.owner_id == user.pk %}")
