"""Account emails: daily limits for each mailbox, and which addresses must be confirmed before a sign-in.

Anybody can make the site send emails to any address, so the emails to each mailbox are counted. The address
``hen+1@example.org`` counts for the mailbox ``hen@example.org``. Each kind of email has its own limit, so emails that
strangers cause do not use up the limit of emails that the owner causes. Emails to a confirmed address are counted for
that address alone.
"""

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
    """Kinds of account emails and their rate limits."""

    CONFIRM = "20/d/key"  # for every template that is not in KINDS, too
    CHANGED = "30/d/key"  # to the owner, about changed second factors
    RESET = "5/d/key"
    TAKEN = "2/d/key"  # to an address that has an account, if somebody signs up with it
    LOCK = "1/d/key"


KINDS: Final = {
    "account/email/password_reset_key": MayWrite.RESET,
    "account/email/account_already_exists": MayWrite.TAKEN,
    "account/email/guesses": MayWrite.LOCK,
    "account/email/second_factor": MayWrite.CHANGED,
}


class SiteName:
    """The name and domain of the site in account emails; allauth would take both from the request."""

    name = settings.SITE_NAME

    @property
    def domain(self) -> str:
        return urlsplit(settings.SITE_URL).netloc or "localhost"


def account_email_mailbox(email: str) -> str:
    """Return the mailbox of ``email`` in lower case, without the part after a plus sign."""
    local, _at, host = email.strip().lower().rpartition("@")
    return f"{local.partition('+')[0]}@{host}"


def account_email_may_write(template_prefix: str, email: str) -> bool:
    """Count one more email of this template to ``email``. Return False if its daily limit is reached."""
    what = KINDS.get(template_prefix, MayWrite.CONFIRM)
    is_confirmed = EmailAddress.objects.filter(email=name_key(email), verified=True).exists()
    key = f"confirmed {name_key(email)}" if is_confirmed else account_email_mailbox(email)
    config = {what.name: what.value}
    return ratelimit.consume(None, app=APP, action=what.name, config=config, key=key, limit_get=True) is not None


def account_email_reset_send(email: str) -> None:
    """Send a link for a new password to ``email``, if an active account has this address."""
    users = filter_users_by_email(email, is_active=True, prefer_verified=True, for_login=True)
    if users:
        request_password_reset(None, email, users, None)


def account_email_guesses_send(user_id: int) -> None:
    """Notify a user, once a day at most, that somebody guessed wrong passwords until the limit was reached."""
    person = User.objects.filter(pk=user_id, is_active=True).exclude(email="").first()
    if person is not None:
        given: dict[str, Any] = {
            "user": person,
            "password_reset_url": settings.SITE_URL + reverse("account_reset_password"),
        }
        get_adapter().send_mail("account/email/guesses", person.email, given)


def account_email_language_set(*, person: AbstractUser, language: str | None) -> None:
    """Store the language of future emails to ``person``. Languages that the site does not offer are ignored."""
    if language in dict(settings.LANGUAGES):
        User.objects.filter(pk=person.pk).update(language=language)


class ConfirmationStage(EmailVerificationStage):  # type: ignore[misc]  # allauth is untyped
    """Require a confirmed address if ``EMAIL_VERIFICATION`` says so and the site can send email.

    While email does not work, users sign in with a warning and confirm later. Accounts without an address, which only
    operators can create, skip this stage.
    """

    def handle(self) -> tuple[Any, bool]:
        """Return the response that asks for confirmation, or None to continue; and whether the stage continues."""
        person = self.login.user
        if person is not None and not person.email and not EmailAddress.objects.filter(user=person).exists():
            return None, True
        response, goes_on = super().handle()
        if response and person is not None and email_state().is_failing:
            messages.warning(
                self.request,
                _("You are signed in, but your address is not confirmed: this site cannot send emails at the moment."),
            )
            return None, True
        return response, goes_on
