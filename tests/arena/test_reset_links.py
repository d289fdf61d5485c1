"""Links to choose a new password: good once, for one person, and for no other way round a second factor."""

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.urls import reverse

from arena.accounts.account_email import account_email_reset_send
from arena.accounts.deletion import account_delete
from arena.accounts.models import User
from tests.arena.factories import PASSWORD, UserFactory

pytestmark = pytest.mark.django_db
NEW = "another-worm-and-dice-43"


def link_for(person: User) -> str:
    mail.outbox.clear()
    account_email_reset_send(person.email)
    (path,) = re.findall(r"https?://[^/]+(/accounts/password/reset/key/\S+)", str(mail.outbox[0].body))
    return str(path)


def opened(link: str, password: str = NEW) -> tuple[Client, Any]:
    """Open the link as its page does, and choose a password if that is offered."""
    client = Client()
    page = client.get(link, follow=True)
    assert page.status_code == 200
    here = page.redirect_chain[-1][0] if page.redirect_chain else link
    return client, client.post(here, {"password1": password, "password2": password}, follow=True)


def signs_in_with(person: User, password: str) -> bool:
    client = Client()
    client.post(reverse("account_login"), {"login": person.username, "password": password})
    return "_auth_user_id" in client.session


def test_a_link_is_good_once() -> None:
    person = UserFactory.create()
    link = link_for(person)
    client, _page = opened(link)
    assert signs_in_with(person, NEW)
    assert "_auth_user_id" not in client.session  # the password is typed once more, and a second factor asked for
    opened(link, "yet-another-worm-44")
    assert not signs_in_with(person, "yet-another-worm-44")
    assert signs_in_with(person, NEW)


def test_using_a_reset_link_invalidates_the_other() -> None:
    person = UserFactory.create()
    first, second = link_for(person), link_for(person)
    opened(second)
    opened(first, "yet-another-worm-44")
    assert not signs_in_with(person, "yet-another-worm-44")


def changed_address(person: User) -> None:
    """As the page on email does it."""
    EmailAddress.objects.filter(user=person).delete()
    EmailAddress.objects.create(user=person, email="new@example.org", verified=True, primary=True)
    User.objects.filter(pk=person.pk).update(email="new@example.org", email_key="new@example.org")


def changed_password(person: User) -> None:
    person.set_password("typed-meanwhile-45")
    person.save()


@pytest.mark.parametrize("since", [changed_address, changed_password])
def test_a_link_from_before_a_change_is_good_no_more(since: Any) -> None:
    person = UserFactory.create()
    EmailAddress.objects.create(user=person, email=person.email, verified=True, primary=True)
    link = link_for(person)
    since(person)
    opened(link)
    person.refresh_from_db()
    assert not person.check_password(NEW)


def test_the_link_of_a_deleted_account_opens_nothing_even_when_its_name_is_taken_again() -> None:
    person = UserFactory.create()
    link, name, email, pk = link_for(person), person.username, person.email, person.pk
    account_delete(person=person)
    opened(link)
    other = UserFactory.create(pk=pk, username=name, email=email)  # a database may give a number again
    opened(link)
    other.refresh_from_db()
    assert other.check_password(PASSWORD)


def test_a_link_for_one_is_none_for_another() -> None:
    person, other = UserFactory.create(), UserFactory.create()
    link, theirs = link_for(person), link_for(other)
    key, number = link.rstrip("/").rpartition("/")[2], theirs.rstrip("/").rpartition("/")[2].partition("-")[0]
    opened(link.replace(key, f"{number}-{key.partition('-')[2]}"))
    assert not signs_in_with(other, NEW)
    for forged in ("0-0", f"{number}-", "-", f"{number}-set-password", "9" * 300 + "-x"):
        assert Client().get(link.replace(key, forged), follow=True).status_code in (200, 404)


def test_the_link_of_an_email_confirms_no_address_of_a_deleted_account(settings: Any) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    typed = {"username": "henrietta", "email": "hen@example.org", "password1": PASSWORD, "password2": PASSWORD}
    Client().post(reverse("account_signup"), typed)
    (path,) = re.findall(r"https?://[^/]+(/accounts/confirm-email/\S+)", str(mail.outbox[0].body))
    account_delete(person=User.objects.get(username="henrietta"))
    assert Client().get(path).status_code in (200, 404)
    assert Client().post(path).status_code in (302, 404)
    assert not EmailAddress.objects.exists()
