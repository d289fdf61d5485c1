"""Personal tokens: each person's own, shown once."""

from datetime import timedelta
from typing import Any

import pytest
from allauth.account.adapter import get_adapter
from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from arena.accounts.models import AccessToken, User
from arena.accounts.tokens import MOST, TooManyTokens, token_create
from tests.arena.factories import PASSWORD, UserFactory
from tests.arena.pages import assert_clean_page
from tests.racing import at_once, on_postgres

pytestmark = pytest.mark.django_db


def tokens_page(client: Client) -> str:
    page = client.get(reverse("accounts:tokens"))
    assert_clean_page(page)
    return page.content.decode()


def revoke(client: Client, key: str) -> Any:
    return client.post(reverse("accounts:token-revoke", args=[key]))


def may_use_the_api(secret: str) -> bool:
    answer = Client().get(reverse("api:bots"), headers={"authorization": f"Token {secret}"})
    assert answer.status_code in (200, 401)
    return answer.status_code == 200


def test_a_new_token_is_shown_once_and_opens_the_api_until_it_is_revoked(client: Client) -> None:
    client.force_login(UserFactory())
    page = client.post(reverse("accounts:tokens"), {"name": "barn computer"})
    assert_clean_page(page)
    assert "no-store" in page.headers["Cache-Control"]
    secret = page.context["secret"]
    assert secret.startswith("peck_")
    assert secret in page.content.decode()
    token = AccessToken.objects.get()
    assert secret not in str(vars(token))
    shown = tokens_page(client)
    assert secret not in shown
    assert "barn computer" in shown
    assert token.token_key in shown
    assert may_use_the_api(secret)

    assert revoke(client, token.token_key).headers["Location"] == reverse("accounts:tokens")
    assert not may_use_the_api(secret)
    assert "barn computer" not in tokens_page(client)


def test_another_person_neither_sees_nor_revokes_it(client: Client) -> None:
    secret = token_create(owner=UserFactory(), name="coop")
    key = AccessToken.objects.get().token_key
    client.force_login(UserFactory(is_staff=True))
    assert "coop" not in tokens_page(client)
    assert revoke(client, key).status_code == 404
    assert may_use_the_api(secret)


def test_an_anonymous_visitor_has_to_sign_in(client: Client) -> None:
    token_create(owner=UserFactory(), name="coop")
    key = AccessToken.objects.get().token_key
    for answer in (
        client.get(reverse("accounts:tokens")),
        client.post(reverse("accounts:tokens"), {"name": "laptop"}),
        revoke(client, key),
    ):
        assert answer.headers["Location"].startswith(reverse("account_login"))
    assert AccessToken.objects.count() == 1


def test_a_link_alone_revokes_nothing(client: Client) -> None:
    owner = UserFactory()
    token_create(owner=owner, name="coop")
    client.force_login(owner)
    assert client.get(reverse("accounts:token-revoke", args=[AccessToken.objects.get().token_key])).status_code == 405


@pytest.mark.parametrize("name", ["", "   ", "n" * 61])
def test_a_token_without_a_sensible_name_is_not_made(client: Client, name: str) -> None:
    client.force_login(UserFactory())
    page = client.post(reverse("accounts:tokens"), {"name": name})
    assert_clean_page(page)
    assert 'id="id_name_error"' in page.content.decode()
    assert f'value="{name}"' in page.content.decode() or not name
    assert not AccessToken.objects.exists()


def test_there_is_an_end_to_tokens(client: Client) -> None:
    owner = UserFactory()
    for number in range(MOST):
        token_create(owner=owner, name=str(number))
    client.force_login(owner)
    page = client.post(reverse("accounts:tokens"), {"name": "one more"})
    assert "Revoke one that you no longer use" in page.content.decode()
    assert AccessToken.objects.count() == MOST


def reset_link(person: User) -> str:
    key = f"{user_pk_to_url_str(person)}-{default_token_generator.make_token(person)}"
    return reverse("account_reset_password_from_key", kwargs={"uidb36": "UID", "key": "KEY"}).replace("UID-KEY", key)


def test_a_password_that_was_reset_ends_all_tokens(client: Client) -> None:
    person = UserFactory()
    secret = token_create(owner=person, name="coop")
    where = client.get(reset_link(person), follow=True).redirect_chain[-1][0]
    client.post(where, {"password1": "brand-new-worms", "password2": "brand-new-worms"})
    person.refresh_from_db()
    assert person.check_password("brand-new-worms")
    assert not may_use_the_api(secret)


@pytest.mark.parametrize("ends", [True, False])
def test_changing_the_password_ends_tokens_on_request(client: Client, ends: bool) -> None:
    person = UserFactory()
    secret = token_create(owner=person, name="coop")
    client.force_login(person)
    form = client.get(reverse("account_change_password"))
    assert_clean_page(form)
    assert "Revoke my access tokens too" in form.content.decode()
    given = {"oldpassword": PASSWORD, "password1": "brand-new-worms", "password2": "brand-new-worms"}
    client.post(reverse("account_change_password"), given | ({"end_tokens": "on"} if ends else {}))
    person.refresh_from_db()
    assert person.check_password("brand-new-worms")
    assert may_use_the_api(secret) is not ends


def test_a_new_password_does_not_undo_what_staff_has_changed_meanwhile() -> None:
    person = UserFactory.create()
    User.objects.filter(pk=person.pk).update(is_active=False)
    get_adapter().set_password(person, "brand-new-worms")  # person was read before
    person.refresh_from_db()
    assert person.check_password("brand-new-worms")
    assert not person.is_active


def test_a_password_set_by_staff_ends_tokens_and_a_rehash_does_not(settings: Any) -> None:
    settings.PASSWORD_HASHERS = [*settings.PASSWORD_HASHERS, "django.contrib.auth.hashers.PBKDF2PasswordHasher"]
    person = UserFactory()
    secret = token_create(owner=person, name="coop")
    person.set_password("brand-new-worms")
    person.save()
    assert not may_use_the_api(secret)
    secret = token_create(owner=person, name="coop")
    User.objects.filter(pk=person.pk).update(password=make_password("brand-new-worms", hasher="pbkdf2_sha256"))
    person.refresh_from_db()
    assert person.check_password("brand-new-worms")  # which hashes it as is the custom today
    person.refresh_from_db()
    assert not person.password.startswith("pbkdf2")
    assert may_use_the_api(secret)


def test_a_token_is_good_for_a_year_or_as_long_as_was_chosen(client: Client) -> None:
    client.force_login(UserFactory())
    client.post(reverse("accounts:tokens"), {"name": "year"})
    client.post(reverse("accounts:tokens"), {"name": "month", "days": "30"})
    assert client.post(reverse("accounts:tokens"), {"name": "for ever", "days": "99999"}).context["form"].errors
    ends = {
        token.name: round((token.expiry - timezone.now()) / timedelta(days=1)) for token in AccessToken.objects.all()
    }
    assert ends == {"year": 365, "month": 30}


def test_a_token_past_its_time_opens_nothing_and_is_not_listed(client: Client) -> None:
    owner = UserFactory()
    secret = token_create(owner=owner, name="old laptop")
    AccessToken.objects.update(expiry=timezone.now() - timedelta(seconds=1))
    client.force_login(owner)
    assert "old laptop" not in tokens_page(client)
    assert not may_use_the_api(secret)


def test_no_token_is_without_an_end() -> None:
    token_create(owner=UserFactory(), name="coop")
    with pytest.raises(IntegrityError), transaction.atomic():
        AccessToken.objects.update(expiry=None)


def test_the_last_use_is_shown_and_written_once_a_minute_at_most(client: Client) -> None:
    owner = UserFactory()
    secret = token_create(owner=owner, name="coop")
    client.force_login(owner)
    assert "never" in tokens_page(client)
    assert may_use_the_api(secret)
    first = AccessToken.objects.get().last_used_at
    assert "now" in tokens_page(client)
    with CaptureQueriesContext(connection) as queries:
        assert may_use_the_api(secret)
    assert not [query for query in queries if query["sql"].startswith("UPDATE")]
    AccessToken.objects.update(last_used_at=first - timedelta(minutes=2))
    assert may_use_the_api(secret)
    assert AccessToken.objects.get().last_used_at >= first


@on_postgres
@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_simultaneous_requests_do_not_exceed_the_limit_of_tokens() -> None:
    owner = UserFactory()
    for number in range(MOST - 3):
        token_create(owner=owner, name=str(number))

    def one_more(number: int) -> bool:
        try:
            return bool(token_create(owner=owner, name=f"late {number}"))
        except TooManyTokens:
            return False

    assert at_once(one_more, 10).count(True) == 3
    assert AccessToken.objects.count() == MOST
