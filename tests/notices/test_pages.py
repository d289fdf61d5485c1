"""The inbox and the settings of notices, on pages and over the API."""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from notices.models import EmailRate, Notice, NoticeChoice
from notices.selectors import notice_channels_of
from tests.arena.factories import UserFactory
from tests.bots.test_permissions import token_of
from tournaments.hook_events import FINISHED

pytestmark = pytest.mark.django_db


def notice_of(person: Any, name: str = "Barnyard Cup") -> Notice:
    data = {"name": name, "state": "finished", "page": "http://testserver/tournaments/"}
    return Notice.objects.create(person=person, event=uuid4(), kind=FINISHED, data=data)


def signed_in(person: Any) -> Client:
    client = Client()
    client.force_login(person)
    return client


def test_the_inbox_lists_ones_own_and_following_one_marks_it_as_read() -> None:
    person, other = UserFactory(), UserFactory()
    mine, others = notice_of(person), notice_of(other, "Secret Cup")
    client = signed_in(person)
    page = client.get(reverse("notices:inbox")).content.decode()
    assert "Barnyard Cup has finished." in page
    assert "Secret Cup" not in page
    followed = client.get(reverse("notices:follow", args=[mine.pk]))
    assert followed["Location"] == "/tournaments/"
    assert client.get(reverse("notices:follow", args=[others.pk])).status_code == 404
    assert [one.read_at is not None for one in (Notice.objects.get(pk=mine.pk), Notice.objects.get(pk=others.pk))] == [
        True,
        False,
    ]


def test_repeated_notices_about_one_thing_are_one_line_that_is_read_as_one() -> None:
    person = UserFactory()
    _oldest, newest = notice_of(person), notice_of(person)
    later = Notice.objects.create(
        person=person, event=uuid4(), kind=FINISHED, data={**newest.data, "page": "http://testserver/other/"}
    )
    client = signed_in(person)
    page = client.get(reverse("notices:inbox")).content.decode()
    assert page.count("Barnyard Cup has finished.") == 2
    assert page.count("2</span>\n    <small") == 1
    client.get(reverse("notices:follow", args=[newest.pk]))
    assert list(Notice.objects.filter(person=person, read_at=None)) == [later]


def test_the_menu_shows_how_many_are_unread_until_all_are_read() -> None:
    person = UserFactory()
    notice_of(person)
    notice_of(person)
    client = signed_in(person)
    assert 'aria-label="Unread notices">2</span>' in client.get("/").content.decode()
    client.post(reverse("notices:read-all"))
    assert "Unread notices" not in client.get("/").content.decode()


def test_names_are_escaped() -> None:
    person = UserFactory()
    notice_of(person, "<script>alert(1)</script>")
    assert "<script>alert(1)" not in signed_in(person).get(reverse("notices:inbox")).content.decode()


@pytest.mark.parametrize("name", ["inbox", "settings", "read-all"])
def test_anonymous_visitors_have_to_sign_in(client: Client, name: str) -> None:
    answer = client.post(reverse(f"notices:{name}")) if name == "read-all" else client.get(reverse(f"notices:{name}"))
    assert (answer.status_code, "/accounts/login/" in answer["Location"]) == (302, True)


def test_channels_are_chosen_on_the_page() -> None:
    person = UserFactory()
    client = signed_in(person)
    page = client.get(reverse("notices:settings"))
    form = page.context["form"]
    sent = {f"email-{kind.name}": "never" for kind in form.kinds} | {
        f"email-{FINISHED}": "weekly",
        f"inbox-{FINISHED}": "on",
        "quiet-time_zone": "UTC",
    }
    assert client.post(reverse("notices:settings"), sent).status_code == 302
    chosen = {kind.name: one for kind, one in notice_channels_of(person)}
    assert (chosen[FINISHED].in_inbox, chosen[FINISHED].email) == (True, EmailRate.WEEKLY)
    assert not chosen["version.verdict"].in_inbox
    assert client.post(reverse("notices:settings"), {f"email-{FINISHED}": "hourly"}).status_code == 422


def test_the_settings_fold_each_section_say_what_is_on_and_open_where_something_is_wrong() -> None:
    person = UserFactory()
    client = signed_in(person)
    page = client.get(reverse("notices:settings"))
    sections = page.context["form"].sections()
    text = page.content.decode()
    assert text.count('<details class="fold">') == len(sections) + 1
    rows = next(one for one in sections if str(one.title) == "Tournaments").rows
    emails = sum(row[3].value() != "never" for row in rows)
    inbox = sum(bool(row[1].value()) for row in rows)
    assert f"Inbox: {inbox} of {len(rows)} · Email: {emails} of {len(rows)}" in text
    every = {f"email-{kind.name}": "never" for kind in page.context["form"].kinds} | {"quiet-time_zone": "UTC"}
    wrong = client.post(reverse("notices:settings"), every | {f"email-{FINISHED}": "hourly"}).content.decode()
    opened = wrong.partition('<details class="fold" open>')[2].partition("</details>")[0]
    assert "<h3>Tournaments</h3>" in opened
    assert "Inbox: off" in wrong
    assert wrong.count('<details class="fold" open>') == 1
    wrong = client.post(reverse("notices:settings"), every | {"quiet-start": "22:00"}).content.decode()
    client.post(reverse("notices:settings"), every | {"quiet-start": "22:00", "quiet-end": "07:00"})
    assert "22:00\N{EN DASH}07:00 UTC" in client.get(reverse("notices:settings")).content.decode()
    assert "Quiet hours" in wrong.partition('<details class="fold" open>')[2].partition("</summary>")[0]


def call(person: Any, method: str, path: str, body: Any = None) -> Any:
    headers = {"authorization": f"Token {token_of(person)}"} if person else {}
    send = getattr(Client(), method)
    return (
        send(path, json.dumps(body), content_type="application/json", headers=headers)
        if body
        else send(path, headers=headers)
    )


def test_the_api_lists_marks_and_changes_as_the_pages_do() -> None:
    person, other = UserFactory(), UserFactory()
    mine, others = notice_of(person), notice_of(other)
    listed = call(person, "get", "/api/notices/").json()["results"]
    assert [one["text"] for one in listed] == ["Barnyard Cup has finished."]
    assert call(person, "post", f"/api/notices/{others.pk}/read/").status_code == 404
    assert call(person, "post", f"/api/notices/{mine.pk}/read/").json()["read_at"]
    assert call(other, "post", "/api/notices/read-all/").status_code == 204
    assert not Notice.objects.filter(read_at=None).exists()
    changed = {"channels": [{"kind": FINISHED, "in_inbox": False, "email": "daily"}]}
    answer = call(person, "patch", "/api/notices/channels/", changed).json()["channels"]
    assert {"kind": FINISHED, "in_inbox": False, "email": "daily", "push": False} in answer
    assert NoticeChoice.objects.get(person=person).email == "daily"
    assert call(other, "get", "/api/notices/channels/").json() != {"channels": answer}


@pytest.mark.parametrize(
    "channels",
    [
        [],
        [{"kind": "nothing.known", "in_inbox": True, "email": "now"}],
        [{"kind": FINISHED, "in_inbox": True, "email": "hourly"}],
        [{"kind": FINISHED, "in_inbox": True, "email": "now"}] * 2,
    ],
)
def test_the_api_refuses_channels_that_do_not_exist(channels: Any) -> None:
    person = UserFactory()
    assert call(person, "patch", "/api/notices/channels/", {"channels": channels}).status_code == 400
    assert not NoticeChoice.objects.exists()


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("get", "/api/notices/"),
        ("post", "/api/notices/read-all/"),
        ("get", "/api/notices/channels/"),
        ("patch", "/api/notices/channels/"),
    ],
)
def test_without_a_token_the_api_answers_401(method: str, path: str) -> None:
    assert call(None, method, path).status_code == 401
