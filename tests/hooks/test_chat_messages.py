"""Messages for chat services: the sentence of an event, in which no name becomes markup, a link or a mention."""

import json
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from hooks.messages import CHATS, hook_format_expected, hook_message_body
from hooks.models import Hook, MessageFormat
from hooks.services import Event, hook_deliveries_write, hook_test_send
from hooks.views import HookForm
from tests.arena.factories import UserFactory
from tests.hooks.factories import delivery_of, hook_of

pytestmark = pytest.mark.django_db
DATA = {"tournament": "cup", "name": "Cup", "state": "finished", "page": "https://site.example/tournaments/cup/"}


def body(kind: str, data: dict[str, Any], **fields: Any) -> Any:
    return json.loads(hook_message_body(hook_of(**fields), kind, data))


def test_each_service_gets_its_own_form_with_the_sentence_and_the_link() -> None:
    found = {one: body("tournament.finished", DATA, format=one) for one in CHATS}
    assert found[MessageFormat.DISCORD] == {
        "content": "Cup has finished.\n<https://site.example/tournaments/cup/>",
        "allowed_mentions": {"parse": []},
    }
    assert found[MessageFormat.SLACK]["text"] == "Cup has finished. <https://site.example/tournaments/cup/|Open>"
    assert found[MessageFormat.MATTERMOST]["text"] == "Cup has finished. [Open](https://site.example/tournaments/cup/)"
    card = found[MessageFormat.TEAMS]["attachments"][0]["content"]
    assert card["body"][0]["inlines"][0]["text"] == "Cup has finished."
    assert card["actions"][0]["url"] == DATA["page"]


def test_a_program_still_gets_the_event() -> None:
    found = body("tournament.finished", DATA)
    assert (found["type"], found["data"]) == ("tournament.finished", DATA)


def test_the_sentence_is_in_the_language_of_the_owner() -> None:
    owner = UserFactory(language="de")
    assert "Cup has finished." not in body("tournament.finished", DATA, owner=owner, format="slack")["text"]


@pytest.mark.parametrize(
    ("service", "name", "absent"),
    [
        ("discord", "@everyone **x** [a](http://evil.example)", ["](http", "**"]),
        ("slack", "<!channel> <http://evil.example|x> &", ["<!", "<http://evil"]),
        ("mattermost", "@channel [a](http://evil.example) `x`", ["@channel", "](http://evil"]),
    ],
)
def test_a_hostile_name_is_plain_text(service: str, name: str, absent: list[str]) -> None:
    found = body("tournament.finished", {**DATA, "name": name}, format=service)
    text = found.get("content") or found["text"]
    assert not [one for one in absent if one in text], text


def test_teams_shows_a_name_as_a_run_of_text_which_has_no_markup() -> None:
    found = body("tournament.finished", {**DATA, "name": "**[a](http://evil.example)**"}, format="teams")
    (block,) = found["attachments"][0]["content"]["body"]
    assert block == {
        "type": "RichTextBlock",
        "inlines": [{"type": "TextRun", "text": "**[a](http://evil.example)** has finished."}],
    }


@given(name=st.text(max_size=3000))
def test_every_name_makes_a_message_that_the_services_take(name: str) -> None:
    for service in CHATS.values():
        found = service(name[:1000], "https://site.example/x/")
        text = found.get("content") or found.get("text") or ""
        assert len(text) < 2000 + 2000 * (len(text) > 2000 and text.count("\\") > 500)
        json.dumps(found)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://discord.com/api/webhooks/1/x", "discord"),
        ("https://ptb.discord.com/api/webhooks/1/x", "discord"),
        ("https://hooks.slack.com/services/T/B/x", "slack"),
        ("https://prod-1.westeurope.logic.azure.com:443/workflows/x", "teams"),
        ("https://notdiscord.com/api/webhooks/1/x", None),
        ("https://example.org/discord.com", None),
    ],
)
def test_the_address_of_a_known_service_needs_its_format(url: str, expected: str | None) -> None:
    assert hook_format_expected(url) == expected


def test_the_form_names_the_service_of_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    sent = {"url": "https://discord.com/api/webhooks/1/x", "kinds": ["match.finished"], "format": "json"}
    form = HookForm(sent)
    assert form.errors["format"] == ["This is an address of Discord."]
    assert HookForm(sent | {"format": "discord"}).is_valid()


def test_a_hook_is_made_and_changed_on_its_page_with_a_format(client: Client) -> None:
    person = UserFactory()
    client.force_login(person)
    sent = {"url": "https://chat.example.org/hooks/x", "kinds": ["tournament.finished"], "format": "mattermost"}
    client.post(reverse("hooks:list"), sent)
    hook = Hook.objects.get(owner=person)
    assert hook.format == "mattermost"
    client.post(reverse("hooks:detail", args=[hook.pk]), sent | {"format": "slack"})
    hook.refresh_from_db()
    assert hook.format == "slack"
    assert json.loads(delivery_of(hook, "tournament.finished", **DATA).body)["text"].startswith("Cup has finished.")


@pytest.mark.parametrize(
    ("typed", "about"),
    [
        ("", ""),
        ("tournament/cup", "tournament/cup"),
        ("http://testserver/tournaments/cup/", "tournament/cup"),
        ("https://another.example/tournaments/cup/", None),
        ("/leagues/yard/seasons/2/", "league/yard"),
        ("/groups/7b/members/", "group/7b"),
        ("/series/spring/", "series/spring"),
        *(
            (text, None)
            for text in ("/bots/rooster/", "nonsense", "/tournaments/", "tournament/a b", "http://[", "/x\0")
        ),
    ],
)
def test_what_a_hook_is_about_is_the_address_of_a_page_or_its_kind_and_slug(
    settings: Any, typed: str, about: str | None
) -> None:
    settings.ALLOWED_HOSTS = ["testserver"]
    form = HookForm({"url": "https://hooks.example.org/x", "kinds": ["tournament.finished"], "about": typed})
    assert form.is_valid() == (about is not None)
    if about is None:
        assert list(form.errors) == ["about"]
    else:
        assert form.cleaned_data["about"] == about


def test_a_webhook_of_one_event_gets_nothing_else() -> None:
    owner = UserFactory()
    cup, group, all_ = (hook_of(owner, about=about) for about in ("tournament/cup", "group/7b", ""))
    events = [
        Event("tournament.finished", [owner.pk], DATA),
        Event("tournament.finished", [owner.pk], {**DATA, "tournament": "other", "group": "7b"}),
        Event("version.verdict", [owner.pk], {"bot": "cup", "version": 1, "state": "accepted", "name": "x"}),
    ]
    with transaction.atomic():
        hook_deliveries_write(events=events)
    sent = {hook.pk: set(hook.deliveries.values_list("event", flat=True)) for hook in (cup, group, all_)}
    assert sent == {cup.pk: {events[0].id}, group.pk: {events[1].id}, all_.pk: {one.id for one in events}}
    hook_test_send(hook=cup)
    assert cup.deliveries.count() == 2


def test_the_page_of_a_hook_shows_the_text_of_a_test_and_what_it_is_about(client: Client) -> None:
    hook = hook_of(format="slack", about="group/7b")
    client.force_login(hook.owner)
    page = client.get(reverse("hooks:detail", args=[hook.pk])).content.decode()
    assert "Messages from" in page
    assert "unfurl_links" in page
    assert "<code>group/7b</code>" in page
