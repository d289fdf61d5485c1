"""People with passkeys, and what they do in a browser."""

import json
import re
from typing import Any

from django.test import Client
from django.urls import reverse

from arena.accounts.models import User
from arena.accounts.second_factor import has_second_factor
from tests.arena.authenticators import SecurityKey
from tests.arena.factories import UserFactory
from tests.arena.test_second_factor import confirm, sign_in


class SecureClient(Client):
    """Passkeys take https."""

    def generic(self, *request: Any, **more: Any) -> Any:
        return super().generic(*request, **more | {"secure": True})


def options_of(page: Any) -> Any:
    (found,) = re.findall(r'<script id="passkey-options"[^>]*>(.*?)</script>', page.content.decode())
    return json.loads(found)


def add(client: Client, key: SecurityKey, name: str = "Ring", **changed: Any) -> Any:
    """Of somebody who has confirmed who they are."""
    page = client.get(reverse("mfa_add_webauthn"))
    sent = {"name": name, "credential": key.made(options_of(page)), **changed}
    return client.post(reverse("mfa_add_webauthn"), sent)


def protected(key: SecurityKey, person: User | None = None, **given: Any) -> User:
    """Somebody whose only second factor is ``key``."""
    person = person or UserFactory(**given)
    client = SecureClient()
    sign_in(client, person)
    confirm(client, "mfa_add_webauthn")
    add(client, key)
    assert has_second_factor(person)
    return person


def use(client: Client, key: SecurityKey, name: str = "mfa_authenticate", **changed: Any) -> Any:
    page = client.get(reverse(name))
    return client.post(reverse(name), {"credential": key.used(options_of(page), **changed)})
