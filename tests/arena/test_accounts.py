"""Signing up and in, getting back in by mail, and what may be called a name."""

import re
from pathlib import Path
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import Resolver404, resolve, reverse

from arena.accounts.forms import USERNAME_MOST
from arena.accounts.models import User
from tests.arena.factories import PASSWORD, UserFactory
from tests.arena.pages import assert_clean_page
from tests.bots.factories import BotFactory

pytestmark = pytest.mark.django_db

SIGN_UP = {"username": "henrietta", "email": "hen@example.org", "password1": PASSWORD, "password2": PASSWORD}


def test_a_new_user_is_signed_in_and_greeted(client: Client) -> None:
    page = client.post(reverse("account_signup"), SIGN_UP, follow=True)
    assert page.redirect_chain == [("/bots/", 302)]
    assert page.context["user"].username == "henrietta"
    assert "henrietta" in page.content.decode()
    assert not User.objects.get(username="henrietta").is_organiser


@pytest.mark.parametrize(
    ("field", "value", "error"),
    [
        ("username", "x", "at least"),
        ("username", "no/slash", "Letters, digits"),
        ("username", "..", "Letters, digits"),
        ("username", "hen@example.org", "Letters, digits"),
        ("username", "h" * 31, "at most 30"),
        ("username", "taken", "already"),
        ("username", "house", "is too similar to"),
        ("email", "not-an-address", "valid email"),
        ("email", "taken@example.org", "already"),
        ("password1", "12345678", "entirely numeric"),
        ("password2", "another-one-42", "same password"),
    ],
)
def test_a_refused_sign_up_keeps_the_input_and_shows_the_error_beside_the_field(
    client: Client, field: str, value: str, error: str
) -> None:
    UserFactory(username="taken", email="taken@example.org")
    page = client.post(reverse("account_signup"), SIGN_UP | {field: value})
    html = page.content.decode()
    assert_clean_page(page)
    assert re.search(rf'id="id_{field}_error">(<li>[^<]*</li>)*<li>[^<]*{error}', html)
    assert re.search(rf'<input[^>]*name="{field}"[^>]*aria-invalid="true"[^>]*id_{field}_error', html)
    typed = SIGN_UP | {field: value}
    assert f'value="{typed["username"]}"' in html
    assert f'value="{typed["email"]}"' in html
    assert PASSWORD not in html
    assert User.objects.count() == 1


def test_the_field_of_a_name_takes_no_more_than_a_name_may_have(client: Client) -> None:
    html = client.get(reverse("account_signup")).content.decode()
    assert re.search(rf'<input[^>]*name="username"[^>]*maxlength="{USERNAME_MOST}"', html)


@pytest.mark.parametrize("login", ["henrietta", "hen@example.org"])
def test_people_sign_in_by_name_or_address_and_go_where_they_were_heading(client: Client, login: str) -> None:
    UserFactory(username="henrietta", email="hen@example.org")
    response = client.get(reverse("accounts:tokens"))
    page = client.post(response.headers["Location"], {"login": login, "password": PASSWORD}, follow=True)
    assert page.redirect_chain[-1][0] == reverse("accounts:tokens")


def test_the_page_to_sign_in_names_both_ways_and_the_way_to_a_new_password_once(client: Client) -> None:
    page = client.get(reverse("account_login")).content.decode()
    assert "Username or email" in page
    assert page.count("Forgot your password?") == 1
    assert page.index("Forgot your password?") > page.index('type="password"')


def test_the_sign_in_page_gives_the_reason_after_a_redirect_only(client: Client) -> None:
    why = "Sign in to go on to the page you asked for."
    assert why in client.get("/bots/", follow=True).content.decode()
    assert why not in client.get(reverse("account_login")).content.decode()


def test_the_rules_of_a_password_are_one_line_before_one_is_broken(client: Client) -> None:
    page = client.get(reverse("account_signup")).content.decode()
    assert "At least 8 characters, and not only digits." in page
    assert "commonly used" not in page


def test_the_pages_about_signing_in_are_tabs_of_each_other(client: Client) -> None:
    client.force_login(UserFactory())
    for name in ("account_email", "account_change_password", "mfa_index", "accounts:tokens"):
        assert f'<a href="{reverse(name)}" aria-current="page">' in client.get(reverse(name)).content.decode()


def test_the_menu_leads_to_the_pages_of_the_account_and_marks_no_page_of_another_s_bot(client: Client) -> None:
    own, other = BotFactory(), BotFactory()
    client.force_login(own.owner)
    page = client.get(reverse("bots:detail", args=[own.slug])).content.decode()
    assert f'<a href="{reverse("accounts:export")}">Your data</a>' in page
    marked = re.compile(rf'<a href="{reverse("bots:list")}"\s+aria-current="true">My bots')
    assert marked.search(page)
    assert not marked.search(client.get(reverse("bots:detail", args=[other.slug])).content.decode())


def test_a_wrong_password_and_an_unknown_name_get_the_same_answer(client: Client) -> None:
    UserFactory(username="henrietta")
    answers = [
        client.post(reverse("account_login"), {"login": login, "password": "wrong"})
        for login in ("henrietta", "nobody")
    ]
    for answer in answers:
        assert_clean_page(answer)
        assert "not correct" in answer.content.decode()
        assert not answer.context["user"].is_authenticated


def test_guessing_passwords_is_slowed_down(client: Client) -> None:
    UserFactory(username="henrietta")
    for _attempt in range(5):
        client.post(reverse("account_login"), {"login": "henrietta", "password": "wrong"})
    page = client.post(reverse("account_login"), {"login": "henrietta", "password": PASSWORD})
    assert "Too many failed login attempts" in page.content.decode()


def test_signing_out_takes_a_post(client: Client) -> None:
    client.force_login(UserFactory())
    assert client.get(reverse("account_logout")).context["user"].is_authenticated
    page = client.post(reverse("account_logout"), follow=True)
    assert not page.context["user"].is_authenticated


@pytest.mark.usefixtures("worker")
def test_a_forgotten_password_is_replaced_through_the_mail_in_the_file(
    client: Client, tmp_path: Path, settings: Any
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    settings.EMAIL_FILE_PATH = tmp_path
    UserFactory(username="henrietta", email="hen@example.org")
    response = client.post(reverse("account_reset_password"), {"email": "hen@example.org"}, follow=True)
    assert_clean_page(response)
    (mail,) = (path.read_text() for path in tmp_path.iterdir())
    assert "Subject: [Pecking Order]" in mail
    assert "From: Pecking Order <" in mail
    (link,) = set(re.findall(r"http://testserver(/accounts/password/reset/key/[^\s\"<]+)", mail))

    form = client.get(link, follow=True)
    assert_clean_page(form)
    where = form.redirect_chain[-1][0]
    refused = client.post(where, {"password1": "123", "password2": "123"})
    assert "too short" in refused.content.decode()
    done = client.post(where, {"password1": "brand-new-worms", "password2": "brand-new-worms"}, follow=True)
    assert_clean_page(done)
    assert client.login(username="henrietta", password="brand-new-worms")
    assert not client.login(username="henrietta", password=PASSWORD)
    used = Client().get(link)
    assert_clean_page(used)
    assert "This link no longer works" in used.content.decode()


@pytest.mark.parametrize(
    ("act", "email"), [("add", "new@example.org"), ("primary", "two@example.org"), ("remove", "two@example.org")]
)
def test_a_session_that_somebody_left_open_changes_no_address(client: Client, act: str, email: str) -> None:
    """By an address of one's own the password is reset, and the account is another's."""
    person = UserFactory()
    EmailAddress.objects.create(user=person, email=person.email, verified=True, primary=True)
    EmailAddress.objects.create(user=person, email="two@example.org", verified=True)
    client.post(reverse("account_login"), {"login": person.username, "password": PASSWORD})
    before = set(EmailAddress.objects.values_list("email", "primary"))
    response = client.post(reverse("account_email"), {f"action_{act}": "", "email": email})
    assert response.headers["Location"].startswith(reverse("account_reauthenticate"))
    assert set(EmailAddress.objects.values_list("email", "primary")) == before
    client.post(response.headers["Location"], {"password": "wrong"})
    assert set(EmailAddress.objects.values_list("email", "primary")) == before
    client.post(response.headers["Location"], {"password": PASSWORD, "next": reverse("account_email")})
    assert set(EmailAddress.objects.values_list("email", "primary")) != before


def test_requesting_a_reset_does_not_reveal_who_has_an_account(client: Client) -> None:
    UserFactory(email="hen@example.org")
    pages = [
        client.post(reverse("account_reset_password"), {"email": email}, follow=True)
        for email in ("hen@example.org", "nobody@example.org")
    ]
    known, unknown = (re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page.content.decode()) for page in pages)
    assert known == unknown


def test_a_profile_shows_the_name_and_never_the_address(client: Client) -> None:
    person = UserFactory(username="henrietta", email="secret@example.org")
    page = client.get(reverse("accounts:profile", args=["henrietta"]))
    assert_clean_page(page)
    assert "henrietta" in page.content.decode()
    assert "secret@example.org" not in page.content.decode()
    person.is_active = False
    person.save()
    assert client.get(reverse("accounts:profile", args=["henrietta"])).status_code == 404
    assert client.get(reverse("accounts:profile", args=["nobody"])).status_code == 404
    with pytest.raises(Resolver404):  # it never comes to the database, which may not take it
        resolve("/accounts/people/\0/")


def test_staff_reach_the_administration_by_the_same_door_as_everyone(client: Client) -> None:
    response = client.get("/admin/", follow=True)
    assert response.redirect_chain[-1][0].startswith(reverse("account_login"))
    client.force_login(UserFactory())
    assert client.get("/admin/", follow=True).status_code == 403
    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    assert "organiser" in client.get("/admin/accounts/user/").content.decode().lower()
