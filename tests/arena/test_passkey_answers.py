"""Passkey answers that no browser gives: none is stored, and none breaks a page."""

import json
from typing import Any

import pytest
from allauth.core.context import request_context
from allauth.mfa.models import Authenticator
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.test import Client, RequestFactory
from django.urls import reverse
from fido2.cose import ES256
from fido2.utils import sha256, websafe_encode
from fido2.webauthn import Aaguid, AttestationObject, AttestedCredentialData, AuthenticatorData, RegistrationResponse
from hypothesis import given
from hypothesis import strategies as st

from arena.accounts.passkeys import SENT_MOST, CredentialField
from arena.accounts.second_factor import has_second_factor
from tests.arena.authenticators import PRESENT, SecurityKey
from tests.arena.factories import UserFactory
from tests.arena.pages import assert_clean_page
from tests.arena.passkeys import SecureClient, options_of, protected, use
from tests.arena.test_second_factor import confirm, is_signed_in, sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def client() -> Client:
    return SecureClient()


def test_a_passkey_is_stored_with_only_what_signing_in_needs(client: Client) -> None:
    person = UserFactory()
    sign_in(client, person)
    confirm(client, "mfa_add_webauthn")
    key = SecurityKey()
    sent = json.loads(key.made(options_of(client.get(reverse("mfa_add_webauthn")))))
    sent |= {"note": "\0", "clientExtensionResults": {"credProps": {"rk": "\ud800"}, "more": [float("nan")]}}
    client.post(reverse("mfa_add_webauthn"), {"name": "Ring", "credential": json.dumps(sent)})
    stored = Authenticator.objects.get(user=person, type="webauthn").data["credential"]
    assert set(stored) == {"rawId", "response", "type", "clientExtensionResults"}
    assert stored["clientExtensionResults"] == {}
    other = SecureClient()
    sign_in(other, person)
    use(other, key)
    assert is_signed_in(other)


def odd_keys() -> list[bytes]:
    """Attestations whose key no signature can be checked by, or which have none."""
    public = ES256.from_cryptography_key(SecurityKey().private.public_key())
    odd: list[dict[int, Any]] = [
        {**public, 3: -65000},
        {**public, -2: b"0" * 32, -3: b"1" * 32},
        {1: 2, 3: -7},
        {1: 3, 3: -257, -1: b"\1", -2: b"\1"},
    ]
    host = sha256(b"testserver")
    found = [
        AuthenticatorData.create(
            host, PRESENT | AuthenticatorData.FLAG.AT, 0, AttestedCredentialData.create(Aaguid.NONE, b"1" * 32, one)
        )
        for one in odd
    ]
    return [AttestationObject.create("none", one, {}) for one in (*found, AuthenticatorData.create(host, PRESENT, 0))]


@pytest.mark.parametrize("attestation", odd_keys())
def test_a_key_that_checks_no_signature_is_refused(attestation: bytes, client: Client) -> None:
    person = UserFactory()
    sign_in(client, person)
    confirm(client, "mfa_add_webauthn")
    key = SecurityKey()
    key.id = b"1" * 32
    made = key.made(options_of(client.get(reverse("mfa_add_webauthn"))), attestationObject=attestation)
    answer = client.post(reverse("mfa_add_webauthn"), {"name": "Odd", "credential": made})
    assert_clean_page(answer)
    assert "That passkey wasn't accepted" in answer.content.decode()
    assert not has_second_factor(person)


HOSTILE = [
    "",
    "{",
    "[]",
    "null",
    "1e999",
    "[" * 10_000,
    '"' + "x" * SENT_MOST + '"',
    '{"id": 1}',
    '{"id": "", "rawId": "", "response": {}, "type": "public-key"}',
    '{"id": "AA", "rawId": "AA", "response": {"clientDataJSON": "AA", "attestationObject": "AA"}}',
    '{"id": "AA", "rawId": "AA", "response": {"clientDataJSON": "e30", "attestationObject": "o2NmbXQ"}}',
    '{"rawId": "AA", "response": {"clientDataJSON": "W10", "authenticatorData": "AA", "signature": "AA"}}',
    '{"rawId": "AA", "response": [], "type": {"a": []}}',
]


def test_an_invalid_passkey_answer_is_refused_on_every_page(client: Client) -> None:
    key = SecurityKey()
    person = protected(key)
    adding, entering = SecureClient(), SecureClient()
    adding.force_login(person)
    use(adding, key, "mfa_reauthenticate_webauthn")
    sign_in(entering, person)
    pages = {"mfa_add_webauthn": adding, "mfa_reauthenticate_webauthn": adding, "mfa_authenticate": entering}
    for name, where in pages.items():
        for text in HOSTILE:
            cache.clear()  # else so many are not let through
            answer = where.post(reverse(name), {"name": "x", "credential": text})
            assert answer.status_code in (200, 422), (name, text[:40])
            assert_clean_page(answer)
    assert Authenticator.objects.filter(type="webauthn").count() == 1


@given(where=st.integers(0, 400), what=st.binary(min_size=1, max_size=8))
def test_a_damaged_attestation_is_read_as_one_or_refused(where: int, what: bytes) -> None:
    key = SecurityKey()
    whole = json.loads(key.made({"creation_options": {"publicKey": {"challenge": websafe_encode(b"1" * 32)}}}))
    text = whole["response"]["attestationObject"].encode()
    whole["response"]["attestationObject"] = (text[:where] + what + text[where + len(what) :]).decode("latin-1")
    try:
        with request_context(RequestFactory().get("/", secure=True)):
            read = CredentialField(RegistrationResponse).clean(json.dumps(whole))
    except ValidationError:
        return
    assert set(read["response"]) == {"clientDataJSON", "attestationObject"}
