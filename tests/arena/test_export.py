"""The export of personal data: all of a person, nothing of others, and nothing unpublished."""

import io
import json
import zipfile
from collections.abc import Iterator
from datetime import timedelta
from typing import Any, Final

import pytest
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from arena.accounts.deletion import account_delete, account_sessions_forget
from arena.accounts.export_parts import PARTS
from arena.accounts.models import AccessToken, User
from arena.accounts.tokens import token_create
from bots.deletion import NOBODY
from matches.models import Audience, Fault, Match
from tests.arena.factories import UserFactory
from tests.bots.factories import SOURCE, BotVersionFactory
from tests.bots.test_permissions import token_of
from tests.hooks.factories import delivery_of, hook_of
from tests.leagues.factories import member_of, open_league
from tests.matches.factories import CRASHES, FinishedMatchFactory
from tests.tournaments.factories import EntryFactory, TournamentFactory

pytestmark = pytest.mark.django_db
# Each relation to a person, and the file of the export that has it, or why none has.
FILE_OF: Final = {
    "assignments.Assignment.organiser": "assignments-organised",
    "assignments.DueExtension.by": "due-extensions-given",
    "assignments.DueExtension.student": "due-extensions",
    "assignments.HandIn.student": "hand-ins",
    "assignments.HandInPerson.account": "hand-ins-shared",
    "assignments.HandInPerson.person": "hand-ins-shared",
    "assignments.Marking.by": "markings-ordered",
    "assignments.Marking.student": "markings",
    "assignments.PracticeRun.student": "practice-runs",
    "assignments.ReferenceMark.ruled_by": "marks-decided",
    "account.EmailAddress.user": "email-addresses",
    "accounts.AccessToken.user": "access-tokens",
    "admin.LogEntry.user": "acts-in-admin",
    "announcements.Announcement.author": "announcements",
    "announcements.Question.answered_by": "questions-answered",
    "announcements.Question.asker": "questions",
    "bots.Bot.owner": "bots",
    "bots.BotVersion.checked_for": "versions",
    "bots.BotVersion.uploaded_by": "uploads-for-teams",
    "bots.CheckTurn.author": "check-turns",
    "hooks.Hook.owner": "webhooks",
    "notices.Follow.person": "follows",
    "notices.Notice.person": "notices",
    "notices.NoticeChoice.person": "notice-channels",
    "notices.PushSubscription.person": "devices",
    "notices.QuietHours.person": "quiet-hours",
    "league.League.organiser": "leagues",
    "mfa.Authenticator.user": "second-factors",
    "socialaccount.SocialAccount.user": "single-sign-on",
    "groups.Group.created_by": "groups-created",
    "groups.GroupInvitation.created_by": "group-invitations-made",
    "groups.GroupMember.person": "groups",
    "groups.MemberChange.by": "group-changes-made",
    "groups.MemberChange.person": "group-changes",
    "matches.Analysis.requested_by": "analyses",
    "matches.Challenge.author": "challenges",
    "matches.Match.organiser": "matches-organised",
    "matches.Sparring.author": "sparring",
    "organisers.OrganiserAllowance.person": "organiser-allowance",
    "organisers.OrganiserChange.by": "organiser-changes-made",
    "organisers.OrganiserChange.person": "organiser-changes",
    "organisers.OrganiserRequest.decided_by": "organiser-decisions",
    "organisers.OrganiserRequest.person": "organiser-requests",
    "puzzles.PuzzleAnswer.person": "puzzle-answers",
    "puzzles.PuzzleRating.person": "puzzle-ratings",
    "teams.Team.account": "teams",
    "teams.TeamChange.by": "team-changes-made",
    "teams.TeamChange.person": "team-changes",
    "teams.TeamInvitation.created_by": "team-invitations-made",
    "teams.TeamMember.person": "teams",
    "tournaments.TeamPlayer.person": "played-for-teams",
    "tournaments.Entry.sources_agreed_by": "sources-agreed",
    "tournaments.EntryAnswers.by": "registration-answers",
    "tournaments.Nonce.by": "luck-added",
    "tournaments.TournamentTemplate.organiser": "tournament-templates",
    "tournaments.Ruling.by": "rulings",
    "tournaments.Tournament.arbiters": "arbiter-of",
    "series.TournamentSeries.organiser": "series",
    "tournaments.Tournament.organiser": "tournaments",
    "web.KeptAnswer.user": "answers-of-the-api",
    "web.PreparedFile.asked_by": "prepared-files",
}


def opened(content: bytes) -> dict[str, Any]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {
            name: json.loads(archive.read(name)) if name.endswith(".json") else archive.read(name)
            for name in archive.namelist()
        }


def signed(person: User) -> dict[str, str]:
    return {"authorization": f"Token {token_of(person)}"}


def exported(person: User) -> dict[str, Any]:
    answer = Client().get("/api/me/export/", headers=signed(person))
    assert answer.status_code == 200, answer.content
    return opened(b"".join(answer.streaming_content))


@pytest.fixture
def author() -> Iterator[User]:
    cache.clear()
    author: User = UserFactory(username="fox", email="fox@example.org")
    version = BotVersionFactory(bot__owner=author, bot__name="Early Rooster", report={"detail": "TOLD-THE-AUTHOR"})
    rival = BotVersionFactory(bot__name="Rival", source=SOURCE + b"# RIVALS-SOURCE\n", report={"detail": "TOLD-RIVAL"})
    FinishedMatchFactory(seats=[version, rival])
    EntryFactory(tournament=TournamentFactory(name="Cup"), bot=version.bot)
    member_of(open_league(bots=1), bot=version.bot)
    delivery_of(hook_of(author))
    delivery_of(hook_of(rival.bot.owner))
    yield author
    cache.clear()


def test_every_relation_to_a_person_is_exported_or_has_a_reason() -> None:
    named = {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models()
        for field in (*model._meta.fields, *model._meta.many_to_many)
        if field.is_relation and field.related_model is User
    }
    assert named == set(FILE_OF)
    assert set(FILE_OF.values()) <= set(PARTS)


def test_it_holds_the_person_s_own_and_nothing_of_others(author: User) -> None:
    held = exported(author)
    assert {name.removesuffix(".json") for name in held if "/" not in name} == set(PARTS)
    assert [row["email"] for row in held["account.json"]] == ["fox@example.org"]
    assert [row["name"] for row in held["bots.json"]] == ["Early Rooster"]
    assert held["versions.json"][0]["report"] == {"detail": "TOLD-THE-AUTHOR"}
    [upload] = [name for name in held if name.startswith("uploads/")]
    assert held[upload].startswith(SOURCE)
    for part in ("matches", "entries", "league-memberships", "webhooks", "webhook-deliveries", "access-tokens"):
        assert len(held[f"{part}.json"]) == 1, part
    text = str(held)
    assert "RIVALS-SOURCE" not in text
    assert "TOLD-RIVAL" not in text


def test_no_secret_is_in_it(author: User) -> None:
    author.set_password("of my own choosing")
    author.save()
    text = str(exported(author))
    hook = author.hooks.get()
    for secret in (author.password, hook.salt, *AccessToken.objects.values_list("digest", flat=True)):
        assert str(secret) not in text


def test_unpublished_data_is_not_exported() -> None:
    version = BotVersionFactory(source=CRASHES)
    match = FinishedMatchFactory(seats=[version, BotVersionFactory()])
    held = exported(version.bot.owner)
    assert len(held["matches.json"]) == 1
    assert all(row["printed"] for row in held["printed.json"]), "games without output are left out"
    Match.objects.filter(pk=match.pk).update(audience=Audience.ORGANISER)
    held = exported(version.bot.owner)
    assert held["matches.json"] == held["failures.json"] == held["printed.json"] == []


@pytest.mark.parametrize("who", ["nobody", "author", "other", "organiser", "arbiter", "staff"])
def test_everyone_gets_their_own_and_nobody_another_s(who: str, author: User) -> None:
    cup = TournamentFactory()
    people = {"author": author, "other": UserFactory(), "organiser": cup.organiser, "arbiter": UserFactory()}
    people["staff"] = UserFactory(is_staff=True, is_superuser=True)
    cup.arbiters.add(people["arbiter"])
    if who == "nobody":
        assert Client().get("/api/me/export/").status_code == 401
        assert Client().post("/accounts/export/").status_code == 302
        return
    assert [row["username"] for row in exported(people[who])["account.json"]] == [people[who].username]
    assert ("Early Rooster" in str(exported(people[who]))) == (who == "author")


def test_the_page_requires_the_password_and_sends_the_same_file(client: Client, author: User) -> None:
    author.set_password("of my own choosing")
    author.save()
    client.force_login(author)
    assert "reauthenticate" in client.post("/accounts/export/").headers["Location"]
    client.post("/accounts/reauthenticate/", {"password": "of my own choosing"})
    page = client.get("/accounts/export/")
    assert page.status_code == 200
    sent = client.post("/accounts/export/")
    assert sent.headers["Content-Type"] == "application/zip"
    assert "no-store" in sent.headers["Cache-Control"]
    assert opened(b"".join(sent.streaming_content)).keys() == exported(author).keys()


def test_a_token_that_may_not_read_it_all_gets_none_of_it(author: User) -> None:
    secret = token_create(owner=author, name="reads", scopes=["upload"])
    answer = Client().get("/api/me/export/", headers={"authorization": f"Token {secret}"})
    assert answer.status_code == 403
    assert answer.json()["code"] == "scope"


def test_it_is_made_five_times_an_hour_at_most(client: Client, author: User) -> None:
    headers = signed(author)
    answers = [client.get("/api/me/export/", headers=headers) for _ in range(6)]
    assert [answer.status_code for answer in answers] == [200] * 5 + [429]
    assert answers[-1].headers["Retry-After"]


def test_expired_data_is_dropped_and_valid_data_stays(author: User, settings: Any) -> None:
    now = timezone.now()
    for key, ends in (("ended", now - timedelta(seconds=1)), ("good", now + timedelta(days=1))):
        Session.objects.create(session_key=key, session_data="", expire_date=ends)
    token_create(owner=author, name="ended")
    AccessToken.objects.filter(name="ended").update(expiry=now - timedelta(seconds=1))
    token_create(owner=author, name="good")
    about = {"user": author, "content_type": ContentType.objects.get_for_model(User), "action_flag": CHANGE}
    for name in ("old", "new"):
        LogEntry.objects.create(object_id="1", object_repr=name, **about)
    LogEntry.objects.filter(object_repr="old").update(action_time=now - timedelta(days=settings.AUDIT_DAYS + 1))
    account_sessions_forget()
    assert list(Session.objects.values_list("session_key", flat=True)) == ["good"]
    assert list(AccessToken.objects.values_list("name", flat=True)) == ["good"]
    assert list(LogEntry.objects.values_list("object_repr", flat=True)) == ["new"]


def test_actions_of_deleted_staff_stay_without_a_name(author: User) -> None:
    about = ContentType.objects.get_for_model(User)
    LogEntry.objects.create(user=author, content_type=about, object_id="1", object_repr="hen", action_flag=CHANGE)
    account_delete(person=author)
    assert LogEntry.objects.get().user.username == NOBODY
    assert not Fault.objects.filter(seat__version__bot__owner__username="fox").exists()
