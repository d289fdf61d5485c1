"""The pages and the API of teams, for each role."""

import re
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from bots.models import Bot, BotVersion
from bots.services import MAX_WAITING, version_upload
from bots.upload_errors import UploadError
from teams import services
from teams.models import Team, TeamInvitation, TeamMember
from tests.arena.factories import UserFactory
from tests.arena.pages import assert_clean_page
from tests.bots.factories import SOURCE, BotFactory, BotVersionFactory
from tests.bots.test_permissions import token_of
from tests.teams.factories import team_of
from tests.teams.test_acting import LOGIN, WHO, Cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return Cast()


def answer(response: Any) -> Any:
    if response.status_code == 302 and response["Location"].startswith(reverse("account_login")):
        return LOGIN
    return response.status_code


def shows(page: Any, text: str) -> None:
    assert_clean_page(page)
    assert text in page.content.decode()


def upload() -> dict[str, Any]:
    return {"file": SimpleUploadedFile("bot.py", SOURCE)}


PAGES = [
    ("get", "list", (LOGIN, 200, 200, 200, 200, 200, 200)),
    ("get", "create", (LOGIN, 200, 200, 200, 200, 200, 200)),
    ("get", "detail", (200, 200, 200, 200, 200, 200, 200)),
    ("post", "links", (LOGIN, 403, 403, 403, 200, 403, 200)),
    ("post", "revoke", (LOGIN, 403, 403, 403, 302, 403, 302)),
    # Staff make the member captain, before the two of them ask.
    ("post", "captain", (LOGIN, 403, 403, 403, 302, 302, 403)),
]


@pytest.mark.parametrize(("method", "name", "statuses"), PAGES)
def test_a_page_of_a_team_is_for_its_roles_only(method: str, name: str, statuses: tuple[Any, ...], cast: Cast) -> None:
    link, _token = services.team_link_create(team=cast.team, by=cast.captain, uses=1, days=1)
    more = {"revoke": [link.pk], "captain": [cast.member.pk]}.get(name, [])
    args = [] if name in ("list", "create") else [cast.team.slug, *more]
    data = {"uses": 2, "days": 3} if name == "links" else {}
    found = [answer(getattr(cast.client(who), method)(reverse(f"teams:{name}", args=args), data)) for who in WHO]
    assert tuple(found) == statuses


def test_only_the_captain_and_staff_remove_somebody(cast: Cast) -> None:
    address = reverse("teams:remove", args=[cast.team.slug, cast.member.pk])
    for who, expected in zip(WHO, (LOGIN, 403, 403, 403, 302, 403, 302), strict=True):
        TeamMember.objects.get_or_create(team=cast.team, person=cast.member)
        assert answer(cast.client(who).post(address)) == expected
        assert TeamMember.objects.filter(person=cast.member).exists() == (expected != 302)


def test_only_members_leave_and_others_stay(cast: Cast) -> None:
    for who in ("author", "former", "organiser", "staff"):
        assert cast.client(who).post(reverse("teams:leave", args=[cast.team.slug])).status_code == 302
    assert TeamMember.objects.filter(team=cast.team).count() == 2
    assert cast.client("captain").post(reverse("teams:leave", args=[cast.team.slug])).status_code == 302
    assert TeamMember.objects.get(team=cast.team).person == cast.member


def test_a_team_is_founded_joined_and_writes_a_bot(client: Client) -> None:
    captain, hen = UserFactory(), UserFactory()
    client.force_login(captain)
    page = client.post(reverse("teams:create"), {"name": "The Hens"}, follow=True)
    team = Team.objects.get()
    shows(page, "Your team is ready")
    assert client.post(reverse("teams:create"), {"name": "the hens"}).status_code == 422
    made = client.post(reverse("teams:links", args=[team.slug]), {"uses": 1, "days": 7})
    shows(made, "Copy the link now")
    link = re.search(r"http://testserver(/teams/join/[\w-]+/)", made.content.decode())
    assert link is not None
    assert link[1] not in client.get(reverse("teams:detail", args=[team.slug])).content.decode()

    other = Client()
    assert other.get(link[1])["Location"] == reverse("teams:join")
    assert other.get(link[1])["Referrer-Policy"] == "no-referrer"
    shows(other.get(reverse("teams:join")), "Sign in and join")
    other.force_login(hen)
    assert other.get(link[1]).status_code == 302
    shows(other.get(reverse("teams:join")), "Join")
    page = other.post(reverse("teams:accept"), follow=True)
    shows(page, "You are in The Hens")
    assert Client().get(link[1]).status_code == 404  # it was for one

    form = {"name": "Rooster", "game": "pickomino", "blurb": "", "owner": team.pk}
    shows(other.get(f"{reverse('bots:create')}?owner={team.pk}"), "team The Hens")
    sent = other.post(reverse("bots:create"), form | upload())
    assert sent.status_code == 302
    version = BotVersion.objects.get()
    assert (version.bot.owner_id, version.uploaded_by) == (team.pk, hen)
    assert hen.username in client.get(sent["Location"]).content.decode()
    outsider = Client().get(sent["Location"]).content.decode()
    assert hen.username not in outsider
    assert "The Hens" in Client().get(reverse("bots:detail", args=[version.bot.slug])).content.decode()
    for page in (reverse("teams:detail", args=[team.slug]), reverse("teams:list")):
        shows(client.get(page), "The Hens")
    profile = client.get(reverse("accounts:profile", args=["The Hens"]))
    assert profile["Location"] == reverse("teams:detail", args=[team.slug])
    assert "The Hens" in client.get(reverse("accounts:profile", args=[hen.username])).content.decode()


def test_a_user_without_a_team_is_offered_none_and_cannot_name_one(cast: Cast) -> None:
    client = cast.client("author")
    assert 'name="owner"' not in client.get(reverse("bots:create")).content.decode()
    form = {"name": "Intruder", "game": "pickomino", "blurb": "", "owner": cast.team.pk}
    assert client.post(reverse("bots:create"), form | upload()).status_code == 302
    assert Bot.objects.get(name="Intruder").owner == cast.people["author"]
    other = team_of(cast.people["author"])
    form |= {"name": "Second"}
    assert client.post(reverse("bots:create"), form | upload()).status_code == 422
    headers = {"authorization": f"Token {token_of(cast.people['author'])}"}
    sent = {"name": "Third", "game": "pickomino", "team": cast.team.slug}
    refused = client.post("/api/bots/", sent, headers=headers, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (400, "unknown_team")
    made = client.post("/api/bots/", sent | {"team": other.slug}, headers=headers, content_type="application/json")
    assert (made.status_code, made.json()["author"]) == (201, other.name)


def test_a_name_that_is_a_script_is_refused_and_a_link_that_is_guessed_counts(client: Client) -> None:
    cache.clear()
    client.force_login(UserFactory())
    assert client.post(reverse("teams:create"), {"name": "<script>alert(1)</script>"}).status_code == 422
    answers = [client.get(f"/teams/join/guess-{number}/").status_code for number in range(21)]
    assert answers == [404] * 20 + [429]
    cache.clear()


def test_several_teams_do_not_add_up_to_more_uploads_that_wait() -> None:
    hen = UserFactory()
    bots = [BotFactory.create(owner=team_of(hen).account) for _ in range(2)]
    for number in range(MAX_WAITING):
        BotVersionFactory.create(bot=bots[0], open=True, uploaded_by=hen, number=number + 1)
    for bot in (*bots, BotFactory.create(owner=hen)):
        with pytest.raises(UploadError, match="waiting for their check"):
            version_upload(bot=bot, filename="bot.py", data=SOURCE, by=hen)
    assert version_upload(bot=BotFactory.create(), filename="bot.py", data=SOURCE)[1]


def test_the_api_does_what_the_pages_do(client: Client) -> None:
    captain, hen, other = UserFactory(), UserFactory(), UserFactory()

    def send(person: Any, method: str, path: str, sent: Any = None) -> Any:
        headers = {"authorization": f"Token {token_of(person)}"} if person else {}
        return getattr(client, method)(f"/api/teams/{path}", sent, content_type="application/json", headers=headers)

    made = send(captain, "post", "", {"name": "The Hens"})
    assert (made.status_code, made.json()["slug"], made["Location"]) == (201, "the-hens", "/api/teams/the-hens/")
    assert send(other, "post", "", {"name": "THE HENS"}).json()["code"] == "name_taken"
    assert send(other, "post", "the-hens/links/", {}).status_code == 403
    link = send(captain, "post", "the-hens/links/", {"uses": 1, "days": 2}).json()
    assert link["link"].startswith("http://testserver/teams/join/")
    assert [one["id"] for one in send(captain, "get", "the-hens/links/").json()["results"]] == [link["id"]]
    joined = send(hen, "post", "join/", {"link": link["link"]})
    assert [one["username"] for one in joined.json()["members"]] == [captain.username, hen.username]
    assert send(other, "post", "join/", {"link": link["link"]}).json()["code"] == "invitation"
    assert send(hen, "get", "").json()["results"] == [send(None, "get", "the-hens/").json()]
    assert send(hen, "post", f"the-hens/members/{hen.username}/captain/").status_code == 403
    assert send(hen, "delete", f"the-hens/members/{captain.username}/").status_code == 403
    assert send(captain, "post", f"the-hens/members/{hen.username}/captain/").json()["members"][0] == {
        **joined.json()["members"][1],
        "is_captain": True,
    }
    assert send(hen, "delete", f"the-hens/members/{captain.username}/").status_code == 204
    assert send(captain, "post", "the-hens/leave/").status_code == 404
    second = send(hen, "post", "the-hens/links/", {}).json()
    assert send(hen, "delete", f"the-hens/links/{second['id']}/").status_code == 204
    assert send(hen, "delete", f"the-hens/links/{second['id']}/").status_code == 404
    assert not TeamInvitation.objects.filter(revoked_at=None, uses_left__gte=1).exists()
    assert send(hen, "post", "the-hens/leave/").status_code == 204
    assert send(None, "get", "the-hens/").status_code == 404
