"""E-mails about accounts: how many to one mailbox, and who must confirm an address before signing in.

Anybody may make the site write to any address. E-mails to one mailbox are therefore counted, and ``hen+1@example.org``
is the mailbox of ``hen@example.org``. E-mails that others cause must not use up the owner's: each kind of e-mail
has a count of its own, and an address that its owner has confirmed is counted apart from others of its mailbox."""

from enum import Enum, unique
from typing import Any, Final
from urllib.parse import urlsplit

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.password_reset import request_password_reset
from allauth.account.internal.userkit import filter_users_by_email
from allauth.account.models import EmailAddress
from allauth.account.stages import EmailVerificationStage
from allauth.core.internal import ratelimit
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AbstractUser
from django.urls import reverse
from django.utils.translation import gettext as _

from arena.accounts.models import User
from web.email import email_state
from web.name_keys import name_key

APP: Final = "allauth.account"


@unique
class MayWrite(Enum):
    """The kinds of e-mails, with how many of each a day."""

    CONFIRM = "20/d/key"  # and whatever else is not below
    CHANGED = "30/d/key"  # the owner's second factors
    RESET = "5/d/key"
    TAKEN = "2/d/key"  # somebody signs up with an address that has an account
    LOCK = "1/d/key"


KINDS: Final = {
    "account/email/password_reset_key": MayWrite.RESET,
    "account/email/account_already_exists": MayWrite.TAKEN,
    "account/email/guesses": MayWrite.LOCK,
    "account/email/second_factor": MayWrite.CHANGED,
}


class SiteName:
    """What letters call the site, where allauth would ask the request."""

    name = settings.SITE_NAME

    @property
    def domain(self) -> str:
        return urlsplit(settings.SITE_URL).netloc or "localhost"


def account_email_mailbox(email: str) -> str:
    """Return the mailbox that ``email`` comes to, in lower case and without what stands after a plus."""
    local, _at, host = email.strip().lower().rpartition("@")
    return f"{local.partition('+')[0]}@{host}"


def account_email_may_write(template_prefix: str, email: str) -> bool:
    """Count one more e-mail of this template to ``email``: False when it has had as many as it may in a day."""
    what = KINDS.get(template_prefix, MayWrite.CONFIRM)
    is_confirmed = EmailAddress.objects.filter(email=name_key(email), verified=True).exists()
    key = f"confirmed {name_key(email)}" if is_confirmed else account_email_mailbox(email)
    config = {what.name: what.value}
    return ratelimit.consume(None, app=APP, action=what.name, config=config, key=key, limit_get=True) is not None


def reset_email_send(email: str) -> None:
    """Send a link to choose a new password to an account with this address; without one send nothing."""
    users = filter_users_by_email(email, is_active=True, prefer_verified=True, for_login=True)
    if users:
        request_password_reset(None, email, users, None)


def guesses_email_send(user_id: int) -> None:
    """Tell a person, once a day at most, that somebody tried wrong passwords until they were held up."""
    person = User.objects.filter(pk=user_id, is_active=True).exclude(email="").first()
    if person is not None:
        given: dict[str, Any] = {
            "user": person,
            "password_reset_url": settings.SITE_URL + reverse("account_reset_password"),
        }
        get_adapter().send_mail("account/email/guesses", person.email, given)


def account_email_language_set(*, person: AbstractUser, language: str | None) -> None:
    """Write to ``person`` in this language from now on; one that the site does not speak changes nothing."""
    if language in dict(settings.LANGUAGES):
        User.objects.filter(pk=person.pk).update(language=language)


class ConfirmationStage(EmailVerificationStage):  # type: ignore[misc]  # allauth is untyped
    """Ask for a confirmed address where the site requires one (``EMAIL_VERIFICATION``) and a letter can be sent.

    Mail that does not work locks nobody out: people sign in, see a notice, and confirm later. Nor is anybody asked who
    has no address, which only those have whom the operators made.
    """

    def handle(self) -> tuple[Any, bool]:
        """Return the answer that asks for it, or None to go on."""
        person = self.login.user
        if person is not None and not person.email and not EmailAddress.objects.filter(user=person).exists():
            return None, True
        response, goes_on = super().handle()
        if response and person is not None and email_state().is_failing:
            messages.warning(
                self.request,
                _("You are signed in, but your address is not confirmed: this site cannot send letters at the moment."),
            )
            return None, True
        return response, goes_on
