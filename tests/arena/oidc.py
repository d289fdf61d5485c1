"""A provider of OpenID Connect in the place of ``requests``: discovery, token and information about the user."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
import pytest
import requests
from django.test import Client

ISSUER = "https://login.school.example"
SETTINGS = {
    "OIDC_URL": ISSUER,
    "OIDC_NAME": "Hill School",
    "OIDC_GROUPS_CLAIM": "groups",
    "OIDC_GROUPS": {},
    "SOCIALACCOUNT_PROVIDERS": {
        "openid_connect": {
            "OAUTH_PKCE_ENABLED": True,
            "APPS": [
                {
                    "provider_id": "sso",
                    "name": "Hill School",
                    "client_id": "pecking",
                    "secret": "s3cret",
                    "settings": {"server_url": ISSUER},
                }
            ],
        }
    },
}
CONFIGURATION = {
    "issuer": ISSUER,
    "authorization_endpoint": f"{ISSUER}/authorize",
    "token_endpoint": f"{ISSUER}/token",
    "userinfo_endpoint": f"{ISSUER}/me",
    "jwks_uri": f"{ISSUER}/keys",
    "token_endpoint_auth_methods_supported": ["client_secret_post"],
}


class Provider:
    """A provider that knows ``person``. ``requests`` has the requests that it got; while ``broken``, it answers 500."""

    def __init__(self) -> None:
        self.person: dict[str, Any] = {}
        self.requests: list[tuple[str, str, Any]] = []
        self.broken = False

    def send(self, request: requests.PreparedRequest, **_how: Any) -> requests.Response:
        path = urlsplit(str(request.url)).path
        self.requests.append((str(request.method), path, request.body))
        answer = requests.Response()
        answer.status_code, answer.url, answer.request = 500 if self.broken else 200, str(request.url), request
        answer.headers["Content-Type"] = "application/json"
        claims = {"iss": ISSUER, "aud": "pecking", "iat": 1, "exp": 2**40, "sub": self.person.get("sub")}
        answers: dict[str, Any] = {
            "/.well-known/openid-configuration": CONFIGURATION,
            "/token": {"access_token": "a", "token_type": "Bearer", "id_token": jwt.encode(claims, "k" * 32)},
            "/me": self.person,
        }
        answer._content = requests.compat.json.dumps(answers[path]).encode()
        return answer


@contextmanager
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    found = Provider()
    monkeypatch.setattr("requests.adapters.HTTPAdapter.send", lambda _self, request, **how: found.send(request, **how))
    yield found


def begin(client: Client, query: str = "?process=login") -> dict[str, str]:
    """Press the button. Return what the browser takes to the provider."""
    answer = client.post(f"/accounts/oidc/sso/login/{query}")
    assert answer.status_code == 302, answer.content.decode()[:2000]
    address = urlsplit(answer["Location"])
    assert f"{address.scheme}://{address.netloc}{address.path}" == CONFIGURATION["authorization_endpoint"]
    return {name: values[0] for name, values in parse_qs(address.query).items()}


def come_back(client: Client, taken: dict[str, str], **changed: str) -> Any:
    """Return the answer to the browser that comes back from the provider."""
    query = {"code": "c", "state": taken["state"], **changed}
    return client.get("/accounts/oidc/sso/login/callback/", query)
