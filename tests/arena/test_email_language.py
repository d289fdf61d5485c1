"""Emails are in the language of the reader, not of the person who caused them or of the process that writes them."""

from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext

from arena.accounts.models import User
from contests.hook_events import organiser_decision_event_publish
from hooks.hook_events import hook_paused_event_publish
from hooks.models import PausedBecause
from notices.emails import due_notice_emails_send
from notices.models import Notice
from notices.selectors import notice_line_of
from tests.arena.factories import PASSWORD, UserFactory
from tests.bots.factories import BotVersionFactory
from tests.hooks.factories import hook_of
from tests.tournaments.factories import EntryFactory, TournamentFactory, running_tournament
from tournaments.entry_events import entry_entered_event_publish, entry_withdrawn_event_publish
from tournaments.missed_events import tournament_start_missed_event_publish

pytestmark = pytest.mark.django_db

SIGN_UP = {"username": "henrietta", "email": "hen@example.org", "password1": PASSWORD, "password2": PASSWORD}


def speaks(language: str | None) -> User:
    person: User = UserFactory.create()
    person.language = language
    person.save()
    return person


def notified_organiser(person: User) -> str:
    organiser_decision_event_publish(person.pk, granted=True, has_asked=True)
    return "/tournaments/new/"


def paused_hook(person: User) -> str:
    hook = hook_of(person, paused_because=PausedBecause.FAILING, paused_at=timezone.now())
    hook_paused_event_publish(hook)
    return f"/hooks/{hook.pk}/"


def entered(person: User) -> str:
    entry = EntryFactory.create(bot=BotVersionFactory.create(bot__owner=person).bot)
    entry_entered_event_publish(entry, speaks("fr"))
    return f"/bots/{entry.bot.slug}/edit/"


def withdrawn(person: User) -> str:
    entry = running_tournament(entries=3).entries.first()
    assert entry is not None
    type(entry.bot).objects.filter(pk=entry.bot_id).update(owner=person)
    entry.refresh_from_db()
    entry_withdrawn_event_publish(entry)
    return reverse("bots:failures", args=[entry.bot.slug])


def postponed(person: User) -> str:
    cup = TournamentFactory.create(organiser=person, first_round_at=timezone.now(), entries_missed=1, starts_missed=1)
    tournament_start_missed_event_publish(cup)
    return f"/tournaments/{cup.slug}/"


@pytest.mark.parametrize("caused", [notified_organiser, paused_hook, entered, withdrawn, postponed])
@pytest.mark.parametrize("theirs", ["de", "it", "en", None])
def test_an_email_is_in_the_language_of_its_recipient(caused: Any, theirs: str | None) -> None:
    person = speaks(theirs)
    with translation.override("fr"):  # of who has caused it, or of nobody's: a worker's
        link = caused(person)
        assert due_notice_emails_send() == 1
        assert translation.get_language() == "fr"
    [message] = mail.outbox
    assert message.to == [person.email]
    assert f"http://testserver{link}" in message.body
    with translation.override(theirs or "fr"):
        assert notice_line_of(Notice.objects.get(person=person)).text[:150] == message.subject
        assert gettext("Choose what you hear about: %(link)s").partition("%")[0] in message.body


def test_a_date_in_an_email_has_the_format_of_its_recipient() -> None:
    at = timezone.now().replace(year=2027, month=5, day=3, hour=18, minute=0)
    cup = TournamentFactory.create(
        organiser=speaks("de"), first_round_at=at, entries_missed=1, starts_missed=1, time_zone="Europe/Zurich"
    )
    tournament_start_missed_event_publish(cup)
    assert due_notice_emails_send() == 1
    assert "Mo, 3. Mai 2027, 20:00 Europe/Zurich" in mail.outbox[0].body


def test_a_new_user_has_the_language_of_the_page_and_changes_it() -> None:
    client = Client(headers={"accept-language": "it"})
    client.post(reverse("account_signup"), SIGN_UP)
    person = User.objects.get(username="henrietta")
    assert person.language == "it"
    for chosen, stored in (("de", "de"), ("tlh", "de"), ("", "de"), ("pl", "de"), ("fr", "fr")):
        client.post(reverse("set_language"), {"language": chosen})
        person.refresh_from_db()
        assert person.language == stored
    Client().post(reverse("set_language"), {"language": "en"})
    client.get(reverse("set_language"), {"language": "en"})
    person.refresh_from_db()
    assert person.language == "fr"


def test_an_account_from_before_has_the_language_in_which_it_signs_in_next() -> None:
    person, other = speaks(None), speaks("fr")
    for one in (person, other):
        given = {"login": one.username, "password": PASSWORD}
        Client(headers={"accept-language": "de"}).post(reverse("account_login"), given)
        one.refresh_from_db()
    assert (person.language, other.language) == ("de", "fr")


@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize(("theirs", "greeting"), [("de", "Jemand "), ("it", "Qualcuno "), (None, "Quelqu")])
def test_a_reset_email_is_in_the_language_of_its_recipient(settings: Any, theirs: str | None, greeting: str) -> None:
    """The request is in French, whoever makes it."""
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    person = speaks(theirs)
    Client(headers={"accept-language": "fr"}).post(reverse("account_reset_password"), {"email": person.email})
    taken = SIGN_UP | {"email": person.email}
    Client(headers={"accept-language": "fr"}).post(reverse("account_signup"), taken)
    assert len(mail.outbox) == 2
    for message in mail.outbox:
        assert message.body.strip().startswith(greeting), message.body
        assert "You" not in message.body
