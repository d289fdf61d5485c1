"""Letters to people about their accounts: how many, to whom, and what they say the site is called.

A stranger may make the site write to any address that has an account; so the letters to one mailbox are counted, and
``hen+1@example.org`` is the mailbox of ``hen@example.org``.
"""

from enum import Enum
from typing import Any, Final
from urllib.parse import urlsplit

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.password_reset import request_password_reset
from allauth.account.internal.userkit import filter_users_by_email
from allauth.core.internal import ratelimit
from django.conf import settings
from django.urls import reverse

from arena.accounts.models import User

APP: Final = "allauth.account"


class MayWrite(Enum):
    """What is counted, with how many a day to one mailbox; a letter of the others counts as ``ANY`` too."""

    ANY = "20/d/key"
    RESET = "5/d/key"
    LOCK = "1/d/key"


class SiteName:
    """What letters call the site, where allauth would ask the request."""

    name = settings.SITE_NAME

    @property
    def domain(self) -> str:
        return urlsplit(settings.SITE_URL).netloc or "localhost"


def mailbox(email: str) -> str:
    """Return the mailbox that ``email`` comes to, in lower case and without what stands after a plus."""
    local, _at, host = email.strip().lower().rpartition("@")
    return f"{local.partition('+')[0]}@{host}"


def may_write(what: MayWrite, email: str) -> bool:
    """Count one more letter to the mailbox of ``email``: False when it has had as many as it may in a day."""
    config = {what.name: what.value}
    usage = ratelimit.consume(None, app=APP, action=what.name, config=config, key=mailbox(email), limit_get=True)
    return usage is not None


def write_reset(email: str) -> None:
    """Send a link to choose a new password to whoever has an account with this address; else nothing at all."""
    users = filter_users_by_email(email, is_active=True, prefer_verified=True, for_login=True)
    if users and may_write(MayWrite.RESET, email):
        request_password_reset(None, email, users, None)


def write_lock(user_id: int) -> None:
    """Tell a person, once a day at most, that somebody tried wrong passwords until they were held up."""
    person = User.objects.filter(pk=user_id, is_active=True).exclude(email="").first()
    if person is not None and may_write(MayWrite.LOCK, person.email):
        given: dict[str, Any] = {
            "user": person,
            "password_reset_url": settings.SITE_URL + reverse("account_reset_password"),
        }
        get_adapter().send_mail("account/email/guesses", person.email, given)
