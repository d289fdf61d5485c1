"""A person's devices: the browsers that show them notices while no page of the site is open."""

import re
from hashlib import sha256
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import QuerySet

from hooks.wire import url_check
from notices.errors import BadKeys, TooManyDevices
from notices.models import PushSubscription
from notices.web_push import auth_read, p256dh_read

DEVICES_MOST: Final = 10  # of one person
# Each names itself and those that it descends from: the first that matches counts.
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


def devices_of(person: Any) -> QuerySet[PushSubscription]:
    """Return the person's devices, the newest first."""
    return PushSubscription.objects.filter(person=person.pk).order_by("-pk")


def device_add(*, person: Any, endpoint: str, p256dh: str, auth: str, user_agent: str) -> PushSubscription:
    """Let a browser get the person's notices. It belongs to one person: the one before gets nothing there any more.
    The same call twice changes nothing but the keys.

    Raises:
        BadAddress: nothing may be sent to ``endpoint``.
        BadKeys: nothing can be encrypted for them.
        TooManyDevices: the person has ``DEVICES_MOST``.
    """
    url_check(endpoint)
    try:
        p256dh_read(p256dh), auth_read(auth)
    except ValueError as error:
        raise BadKeys from error
    digest = sha256(endpoint.encode()).hexdigest()
    keys = {"p256dh": p256dh, "auth": auth, "browser": browser_of(user_agent)}
    with transaction.atomic():
        # Of two requests at once, the second counts the first.
        get_user_model().objects.select_for_update(no_key=True).get(pk=person.pk)
        if devices_of(person).filter(digest=digest).update(**keys):
            return PushSubscription.objects.get(digest=digest)
        if devices_of(person).count() >= DEVICES_MOST:
            raise TooManyDevices(DEVICES_MOST)
        PushSubscription.objects.filter(digest=digest).delete()  # with what waits for the other person
        device = PushSubscription(person_id=person.pk, endpoint=endpoint, digest=digest, **keys)
        PushSubscription.objects.bulk_create(
            [device], update_conflicts=True, unique_fields=["digest"], update_fields=["person", *keys]
        )
        return PushSubscription.objects.get(digest=digest)


def device_remove(*, person: Any, device_id: int) -> bool:
    """Send nothing more to a device of the person; False if they have none of that number."""
    return bool(devices_of(person).filter(pk=device_id).delete()[0])


def browser_of(user_agent: str) -> str:
    """Return the browser and the system that a header names, as in "Firefox, Android"; "" of an unknown one. Whatever
    the header holds, the words are ours."""
    named = (
        next((name for name, mark in names.items() if re.search(mark, user_agent[:1000])), "")
        for names in (BROWSERS, SYSTEMS)
    )
    return ", ".join(filter(None, named))
