"""Passwords are hashed with Argon2id, and those hashed before are hashed again when their owners sign in."""

import pytest
from django.contrib.auth.hashers import get_hasher, make_password
from django.test import Client

from arena.accounts.models import User
from arena.settings import people
from tests.arena.factories import PASSWORD, UserFactory

LOGIN = "/accounts/login/"


@pytest.fixture(autouse=True)
def hashers_of_a_site(settings):
    settings.PASSWORD_HASHERS = people.PASSWORD_HASHERS


def test_a_new_password_is_hashed_with_argon2id_and_the_recommended_parameters():
    assert make_password(PASSWORD).startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")


@pytest.mark.django_db
def test_a_password_hashed_before_is_hashed_again_when_its_owner_signs_in_and_not_otherwise(client: Client):
    before = make_password(PASSWORD, hasher="pbkdf2_sha256")
    person = UserFactory()
    User.objects.filter(pk=person.pk).update(password=before)
    client.post(LOGIN, {"login": person.username, "password": "wrong-worms"})
    person.refresh_from_db()
    assert person.password == before
    client.post(LOGIN, {"login": person.username, "password": PASSWORD})
    person.refresh_from_db()
    assert get_hasher("argon2").decode(person.password)["variety"] == "argon2id"
    assert client.session["_auth_user_id"] == str(person.pk)
    hashed = person.password
    client.post("/accounts/logout/")
    client.post(LOGIN, {"login": person.username, "password": PASSWORD})
    person.refresh_from_db()
    assert person.password == hashed
