"""Web Push: messages to browsers, encrypted for one browser (RFC 8291) and signed by the site (RFC 8292).

Requests are sent with ``hooks.http_post``, because the client chose the endpoint.

It also manages a person's devices: browsers that show notices while no page of the site is open.
"""

import re
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import cache
from hashlib import sha256
from typing import Any, Final
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from py_vapid import Vapid02

from hooks.http_post import hook_post, hook_url_check
from notices.models import PushSubscription
from web.errors import Refusal

POINT_BYTES: Final = 65  # size of an uncompressed point of P-256
AUTH_BYTES: Final = 16
TTL: Final = 24 * 3600  # seconds for which a push service stores a message for an offline browser
SIGNED_FOR: Final = 12 * 3600  # seconds for which the signature of a message is valid


def web_push_offered() -> bool:
    """Return whether this site has a key for Web Push."""
    return bool(settings.VAPID_PRIVATE_KEY)


def application_server_key() -> str:
    """Return the site's public key, with which browsers subscribe, as base64url."""
    return _encoded(_point(_vapid(settings.VAPID_PRIVATE_KEY).public_key))


def web_push_tag_of(device: PushSubscription) -> str:
    """Return the tag of the message to a claimed device. Of two messages with the same tag, the last is shown."""
    assert device.tag is not None  # noqa: S101  push_claim_has_a_tag
    return device.tag.hex


def push_p256dh_read(text: str) -> bytes:
    """Return the point of a browser's public key.

    Raises:
        ValueError: it is not a point of P-256, or not encoded correctly.
    """
    point = _decoded(text, POINT_BYTES)
    ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    return point


def push_auth_read(text: str) -> bytes:
    """Return a browser's authentication secret.

    Raises:
        ValueError: it is invalid.
    """
    return _decoded(text, AUTH_BYTES)


async def web_push_send(device: PushSubscription, payload: bytes) -> int:
    """Send ``payload``, at most 3,993 bytes, to a device, with its tag. Return the status of the response.

    Raises:
        Unsent: there was no response; see ``hooks.http_post.hook_post``.
    """
    body = http_ece.encrypt(
        payload,
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=push_p256dh_read(device.p256dh),
        auth_secret=push_auth_read(device.auth),
        version="aes128gcm",
    )
    parts = urlsplit(device.endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int(time.time()) + SIGNED_FOR,
        "sub": _contact(),
    }
    headers = {
        "authorization": _vapid(settings.VAPID_PRIVATE_KEY).sign(claims)["Authorization"],
        "content-type": "application/octet-stream",
        "content-encoding": "aes128gcm",
        "ttl": str(TTL),
        "topic": web_push_tag_of(device),  # the push service replaces a waiting message with the same topic
        "urgency": "normal",
    }
    return await hook_post(device.endpoint, headers, body)


def _contact() -> str:
    """Return the contact of the site for push services.

    For a URL this is only its host, because py_vapid accepts neither a path nor a port.
    """
    for address in (settings.CONTACT_URL, settings.SITE_URL):
        if address.startswith("mailto:"):
            return address
        if address.startswith("https://"):
            return f"https://{urlsplit(address).hostname}"
    return f"mailto:{settings.DEFAULT_FROM_EMAIL.rpartition('<')[2].rstrip('>')}"


@cache
def _vapid(key: str) -> Vapid02:
    return Vapid02.from_raw(key.encode())


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _encoded(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def _decoded(text: str, length: int) -> bytes:
    data = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if len(data) != length or _encoded(data) != text:
        raise ValueError("not base64url of that length")
    return data


DEVICES_MOST: Final = 10  # devices of one person
# User agents name themselves and the browsers that they are derived from, so the first match is used.
BROWSERS: Final = {
    "Edge": r"Edge?(?:A|iOS)?/",
    "Opera": r"OPR/|OPT/",
    "Samsung Internet": r"SamsungBrowser/",
    "Vivaldi": r"Vivaldi/",
    "Firefox": r"Firefox/|FxiOS/",
    "Chrome": r"Chrome/|CriOS/",
    "Safari": r"Safari/",
}
SYSTEMS: Final = {
    "iPhone": r"iPhone",
    "iPad": r"iPad",
    "Android": r"Android",
    "ChromeOS": r"CrOS",
    "Windows": r"Windows",
    "macOS": r"Mac OS X",
    "Linux": r"Linux",
}


def web_push_devices_of(person: Any) -> QuerySet[PushSubscription]:
    """Return the person's devices, the newest first."""
    return PushSubscription.objects.filter(person=person.pk).order_by("-pk")


def web_push_device_add(*, person: Any, endpoint: str, p256dh: str, auth: str, user_agent: str) -> PushSubscription:
    """Let a browser get the person's notices. A browser belongs to one person at a time: a previous person no longer
    gets notices on it.

    A repeated call only changes the keys.

    Raises:
        BadAddress: nothing may be sent to ``endpoint``.
        BadKeys: the keys are invalid.
        TooManyDevices: the person has ``DEVICES_MOST`` devices already.
    """
    hook_url_check(endpoint)
    try:
        push_p256dh_read(p256dh), push_auth_read(auth)
    except ValueError as error:
        raise BadKeys from error
    digest = sha256(endpoint.encode()).hexdigest()
    keys = {"p256dh": p256dh, "auth": auth, "browser": web_push_browser_of(user_agent)}
    with transaction.atomic():
        # With this lock, concurrent requests are counted one by one.
        get_user_model().objects.select_for_update(no_key=True).get(pk=person.pk)
        if web_push_devices_of(person).filter(digest=digest).update(**keys):
            return PushSubscription.objects.get(digest=digest)
        if web_push_devices_of(person).count() >= DEVICES_MOST:
            raise TooManyDevices(DEVICES_MOST)
        PushSubscription.objects.filter(digest=digest).delete()  # also deletes the deliveries for the previous person
        device = PushSubscription(person_id=person.pk, endpoint=endpoint, digest=digest, **keys)
        PushSubscription.objects.bulk_create(
            [device], update_conflicts=True, unique_fields=["digest"], update_fields=["person", *keys]
        )
        return PushSubscription.objects.get(digest=digest)


def web_push_device_remove(*, person: Any, device_id: int) -> bool:
    """Stop sending to a device of the person. Return False if they have no such device."""
    return bool(web_push_devices_of(person).filter(pk=device_id).delete()[0])


def web_push_browser_of(user_agent: str) -> str:
    """Return the browser and system of a User-Agent header, such as "Firefox, Android"; "" if unknown.

    Only known words are returned, whatever the header contains.
    """
    named = (
        next((name for name, mark in names.items() if re.search(mark, user_agent[:1000])), "")
        for names in (BROWSERS, SYSTEMS)
    )
    return ", ".join(filter(None, named))


class TooManyDevices(Refusal):
    """The person has reached the limit of devices."""

    code = "limit"
    status = 409

    def __init__(self, most: int) -> None:
        super().__init__(
            _("You get notices on %(most)d devices, which is the limit. Remove one first.") % {"most": most}
        )


class BadKeys(Refusal):
    """The keys of the browser cannot be used for encryption."""

    code = "bad_keys"

    def __init__(self) -> None:
        super().__init__(_("The keys of this browser are not valid. Turn notifications on again."))
