"""One name is one account however it is spelt, on both databases; and what is looked for is found so."""

from importlib import import_module
from io import StringIO
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from arena.accounts.models import User
from arena.embedded.preparation import preparation_organiser_ensure
from bots.models import Bot
from tests.arena.factories import PASSWORD, UserFactory
from tests.bots.factories import BotVersionFactory
from tests.leagues.factories import LeagueFactory
from tests.tournaments.factories import TournamentFactory
from tournaments.models import Tournament
from web.name_keys import name_key
from web.tasks import web_fill_name_keys

SIGN_UP = {"email": "other@example.org", "password1": PASSWORD, "password2": PASSWORD}
PAIRS = [
    ("Jürg1", "JÜRG1"),
    ("Łukasz1", "łukasz1"),
    ("Straße1", "STRASSE1"),
    ("Zoë1", "Zoe\u03081"),
    ("\uff21da1", "ada1"),
]


@given(st.text())
def test_a_key_is_its_own_key_and_that_of_every_spelling(text: str) -> None:
    key = name_key(text)
    assert name_key(key) == key
    assert name_key(text.casefold()) == key


@pytest.mark.django_db
@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_nobody_takes_a_name_in_another_spelling(client: Client, first: str, second: str) -> None:
    UserFactory(username=first)
    page = client.post(reverse("account_signup"), SIGN_UP | {"username": second})
    assert page.status_code == 200
    assert User.objects.count() == 1
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create(username=second)


@pytest.mark.django_db
@pytest.mark.parametrize(("called", "typed"), [*PAIRS, *((b, a) for a, b in PAIRS if "\u0308" not in b)])
def test_people_sign_in_by_their_name_in_any_spelling(client: Client, called: str, typed: str) -> None:
    person = UserFactory(username=called)
    page = client.post(reverse("account_login"), {"login": typed, "password": PASSWORD}, follow=True)
    assert page.context["user"] == person


@pytest.mark.django_db
@pytest.mark.parametrize("typed", ["HEN@BÜCHER.example", "hen@bu\u0308cher.example"])
def test_an_address_is_one_however_it_is_spelt(client: Client, typed: str) -> None:
    client.post(reverse("account_signup"), SIGN_UP | {"username": "henrietta", "email": "Hen@Bücher.example"})
    person = User.objects.get()
    assert person.email == "hen@bücher.example"
    page = Client().post(reverse("account_login"), {"login": typed, "password": PASSWORD}, follow=True)
    assert page.context["user"] == person
    Client().post(reverse("account_signup"), SIGN_UP | {"username": "other", "email": typed})
    assert User.objects.count() == 1


@pytest.mark.django_db
def test_an_address_belongs_to_the_account_that_confirms_it(client: Client) -> None:
    claims = UserFactory(email="hen@example.org")
    owns = UserFactory(email="mine@example.org")
    client.force_login(owns)
    address = EmailAddress.objects.create(user=owns, email="hen@example.org")
    owns.email = "hen@example.org"
    owns.save(update_fields=["email"])
    assert owns.email_key is None
    EmailAddress.objects.filter(pk=address.pk).update(verified=True)
    owns.save()
    claims.refresh_from_db()
    assert (owns.email_key, claims.email_key) == ("hen@example.org", None)


@pytest.mark.django_db
def test_the_commands_know_a_name_in_any_spelling() -> None:
    UserFactory(username="Jürg1", email="hen@example.org")
    with pytest.raises(CommandError, match="already taken"):
        call_command("createsuperuser", interactive=False, username="JÜRG1", email="", stdout=StringIO())
    with pytest.raises(CommandError, match="has an account already"):
        call_command("createsuperuser", interactive=False, username="ada", email="HEN@example.org", stdout=StringIO())
    with pytest.raises(CommandError, match="no second factor"):
        call_command("end_second_factor", "JÜRG1")


@pytest.mark.django_db
def test_staff_cannot_give_somebody_a_name_that_is_taken(client: Client) -> None:
    UserFactory(username="Jürg1")
    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    typed = {"username": "JÜRG1", "usable_password": "true", "password1": PASSWORD, "password2": PASSWORD}
    page = client.post(reverse("admin:accounts_user_add"), typed)
    assert page.status_code == 200
    assert "already exists" in page.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("typed", ["żółć", "ŻÓŁĆ", "z\u0307o\u0301łc\u0301", "Żółć"])
def test_search_finds_every_kind_in_any_spelling(client: Client, typed: str) -> None:
    author = UserFactory(username="Żółć", is_organiser=True)
    BotVersionFactory(bot__name="Żółć bot", bot__owner=author)
    TournamentFactory(name="Puchar Żółć", state="open")
    LeagueFactory(name="Liga Żółć", state="open")
    found = client.get(reverse("search"), {"q": typed}).content.decode()
    for name in ("Żółć bot", "Puchar Żółć", "Liga Żółć", reverse("accounts:profile", args=["Żółć"])):
        assert name in found


@pytest.mark.django_db
def test_a_new_name_has_a_new_key_whichever_way_it_is_stored() -> None:
    bot = BotVersionFactory().bot
    bot.name = "Ünal"
    bot.save(update_fields=["name"])
    assert Bot.objects.get(pk=bot.pk).name_key == "ünal"
    tournament = TournamentFactory()
    Tournament.objects.filter(pk=tournament.pk).update(name="Ärger")
    assert Tournament.objects.get(pk=tournament.pk).name_key == "ärger"


@pytest.mark.django_db
def test_names_that_the_release_before_stored_are_found_and_get_their_keys(client: Client, tmp_path: Any) -> None:
    """It leaves the column out; of two that clash the first has the key, and both sign in."""
    first, second = UserFactory(username="Jürg1"), UserFactory(username="other")
    organiser = preparation_organiser_ensure(kept_in=tmp_path / "password")
    bot = BotVersionFactory(bot__name="Old Bot").bot
    User.objects.update(username_key=None)
    Bot.objects.update(name_key=None)
    User.objects.filter(pk=second.pk).update(username="JÜRG1", username_key=None)
    assert preparation_organiser_ensure(kept_in=tmp_path / "password").name == organiser.name
    assert "Old Bot" in client.get(reverse("search"), {"q": "old bot"}).content.decode()
    web_fill_name_keys()
    web_fill_name_keys()
    assert Bot.objects.get(pk=bot.pk).name_key == "old bot"
    keys = dict(User.objects.values_list("pk", "username_key"))
    assert (keys[first.pk], keys[second.pk]) == ("jürg1", None)
    for login, person in (("Jürg1", first), ("JÜRG1", second), ("jürg1", first)):
        page = Client().post(reverse("account_login"), {"login": login, "password": PASSWORD}, follow=True)
        assert page.context["user"] == person


@pytest.mark.django_db
def test_the_migration_names_accounts_that_clash_and_confirms_administrators(capsys: Any) -> None:
    UserFactory(username="Jürg1")
    clash = UserFactory(username="other", email="A@example.org", is_superuser=True)
    EmailAddress.objects.create(user=clash, email="a@example.org", primary=True)
    User.objects.update(username_key=None, email_key=None)
    User.objects.filter(pk=clash.pk).update(username="JÜRG1", username_key=None)
    migration = import_module("arena.accounts.migrations.0005_keys_of_names")
    migration.fill(apps, None)
    migration.confirm_addresses_of_superusers(apps, None)
    errors = capsys.readouterr().err
    assert "JÜRG1 is another account than Jürg1, which was there first" in errors
    assert "rename one of the two in /admin/" in errors
    assert EmailAddress.objects.get(user=clash).verified
    assert set(User.objects.values_list("email_key", flat=True)) >= {"a@example.org"}
