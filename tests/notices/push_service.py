"""A push service and the browser behind it: both keys are there, so that what was sent can be read."""

import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from notices.models import PushSubscription
from notices.web_push import web_push_device_add
from tests.hooks.receivers import Receiver


def b64(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Browser:
    """Subscribes at an endpoint, and decrypts."""

    def __init__(self, endpoint: str) -> None:
        self.key, self.secret = ec.generate_private_key(ec.SECP256R1()), secrets.token_bytes(16)
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.subscription = {"endpoint": endpoint, "p256dh": b64(point), "auth": b64(self.secret)}

    def added(self, person: Any, user_agent: str = "") -> PushSubscription:
        return web_push_device_add(person=person, user_agent=user_agent, **self.subscription)

    def read(self, body: bytes) -> dict[str, Any]:
        payload = http_ece.decrypt(body, private_key=self.key, auth_secret=self.secret, version="aes128gcm")
        return dict(json.loads(payload))

    def shown(self, server: Receiver) -> list[dict[str, Any]]:
        """What arrived at its endpoint, in order."""
        own = self.subscription["endpoint"].removeprefix(f"http://127.0.0.1:{server.server_port}")
        return [self.read(body) for path, _headers, body in server.received if path == own]


def endpoint(server: Receiver, name: str = "one") -> str:
    return f"http://127.0.0.1:{server.server_port}/push/{name}"


def claims_of(authorization: str, server_key: str) -> dict[str, Any]:
    """The claims of a VAPID header, which must be signed by the key for which the browser subscribed."""
    assert Vapid02.verify(authorization)
    parts = dict(part.split("=", 1) for part in authorization.removeprefix("vapid ").split(","))
    assert parts["k"] == server_key
    return dict(json.loads(unb64(parts["t"].split(".")[1])))
