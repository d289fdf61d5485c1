"""The site's changes to allauth: limits for wrong passwords, user names, and the emails about accounts."""

import logging
from ipaddress import IPv6Address, ip_address
from typing import Any, Final

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.internal import ratelimit
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from arena.accounts.account_email import APP, SiteName, account_email_language_set, account_email_may_write
from arena.accounts.backends import account_named, accounts_at_email
from arena.accounts.models import User
from arena.accounts.tasks import guesses_email_task_send
from web.email import MailAway, email_language_of, email_link_to, email_message
from web.name_keys import name_key

logger = logging.getLogger(__name__)

SENT_MESSAGE: Final = "account/messages/email_confirmation_sent.txt"
UNSENT: Final = "letter_unsent"
CONFIRM: Final = "allauth.account.stages.EmailVerificationStage"


class Adapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth is untyped
    """allauth's adapter, which counts wrong passwords for each pair of account and client address. So nobody can lock
    another user out.

    Links in emails begin with ``SITE_URL``, never with the host of a request. Each mailbox has a daily limit of
    emails.
    """

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        owner = _owner(credentials)
        name = str(owner.pk) if owner else str(credentials.get("email") or credentials.get("username", "")).lower()
        return f"{name}@{ratelimit.get_ip(request)}"

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the client's address. An IPv4 address in IPv6 notation (``::ffff:192.0.2.1``) is returned as IPv4:
        rate limits count IPv6 addresses by network, and all IPv4 addresses in this notation are in one network.
        """
        found = ip_address(super().get_client_ip(request))
        mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
        return str(mapped or found)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        try:
            super().pre_authenticate(request, **credentials)
        except ValidationError:
            if (owner := _owner(credentials)) is not None:
                guesses_email_task_send(owner.pk)
            raise

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return the user name. Refuse a name that differs from another user's only in its spelling."""
        cleaned: str = super().clean_username(username, shallow)
        if not shallow and account_named(cleaned) is not None:
            raise self.validation_error("username_taken")
        return cleaned

    def clean_email(self, email: str) -> str:
        """Return the normalised address (``name_key``), as it is stored and compared."""
        return name_key(email)

    def set_password(self, user: User, password: str) -> None:
        """Set the password. allauth would also write the other columns, with the values that they had when the request
        began.
        """
        user.set_password(password)
        user.save(update_fields=["password"])

    def confirm_email(self, request: HttpRequest, email_address: Any) -> bool:
        """Confirm the address. Other accounts that entered the address without confirming it can no longer sign in with
        it."""
        confirmed: bool = super().confirm_email(request, email_address)
        if confirmed:
            email_address.user.save(update_fields=["email"])
        return confirmed

    def get_reauthentication_methods(self, user: User) -> list[dict[str, Any]]:
        """Require the second factor of users who have one: a password alone must neither remove the factor nor show
        recovery codes. Passkeys come before codes.
        """
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        factors = [one for one in methods if one["id"].startswith("mfa_reauthenticate")]
        return factors[::-1] or methods

    def new_user(self, request: HttpRequest) -> User:
        """Return an unsaved account with the language of the current page."""
        return User(language=get_language())

    def login(self, request: HttpRequest, user: User) -> None:
        """Sign in. Store the language of the page for an account that has none."""
        super().login(request, user)
        if user.language is None:
            account_email_language_set(person=user, language=get_language())

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send an email in its reader's language, unless the daily limit of the mailbox is reached."""
        if account_email_may_write(template_prefix, email):
            given = {"email": email, "current_site": SiteName(), **context}
            with email_language_of(context.get("user") or next(iter(accounts_at_email(email)), None)):
                self.render_mail(template_prefix, email, given).send()

    def get_login_stages(self) -> list[str]:
        """Return allauth's stages with ``ConfirmationStage`` in place of its own confirmation."""
        ours = "arena.accounts.account_email.ConfirmationStage"
        return [ours if path == CONFIRM else path for path in super().get_login_stages()]

    def render_mail(
        self, template_prefix: str, email: str, context: dict[str, Any], headers: dict[str, str] | None = None
    ) -> EmailMessage:
        """Return allauth's email in the layout of the site's other emails."""
        plain = super().render_mail(template_prefix, email, context, headers)
        return email_message(to=email, subject=plain.subject, text=plain.body)

    def send_confirmation_mail(self, request: HttpRequest, emailconfirmation: Any, signup: bool) -> None:
        """Send the link that confirms an address. If the email cannot be sent, show an error and let the user request
        another one at once.
        """
        email = emailconfirmation.email_address.email
        try:
            super().send_confirmation_mail(request, emailconfirmation, signup)
        except OSError as error:
            logger.exception("an email to confirm an address was not sent")
            ratelimit.clear(request, app=APP, action="confirm_email", key=email.lower())
            setattr(request, UNSENT, True)
            sentence = (
                _("The email to %(email)s could not be sent: this site can't send email right now.")
                if isinstance(error, MailAway)
                else _("The mail server refused the email to %(email)s. Check the address.")
            )
            messages.error(request, sentence % {"email": email})

    def add_message(
        self, request: HttpRequest, level: int, message_template: str | None = None, *given: Any, **named: Any
    ) -> None:
        """Add allauth's message. Leave out the message that an email was sent, if it could not be sent."""
        if message_template != SENT_MESSAGE or not hasattr(request, UNSENT):
            super().add_message(request, level, message_template, *given, **named)

    def send_notification_mail(self, template_prefix: str, user: User, *given: Any, **named: Any) -> None:
        """Email users about each change of their second factor. allauth's settings decide about other
        notifications."""
        if not template_prefix.startswith("mfa/"):
            super().send_notification_mail(template_prefix, user, *given, **named)
        elif user.email:
            change = template_prefix.rpartition("/")[2]
            context = {"user": user, "change": change, "password_reset_url": email_link_to("account_reset_password")}
            try:
                self.send_mail("account/email/second_factor", user.email, context)
            except OSError:  # the change of the second factor is stored already
                logger.exception("an email about a second factor was not sent")

    def get_reset_password_from_key_url(self, key: str) -> str:
        path = reverse("account_reset_password_from_key", kwargs={"uidb36": "UID", "key": "KEY"})
        return f"{settings.SITE_URL}{path.replace('UID-KEY', key)}"

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: Any) -> str:
        return f"{settings.SITE_URL}{reverse('account_confirm_email', args=[emailconfirmation.key])}"

    def send_account_already_exists_mail(self, email: str) -> None:
        links = {
            "signup_url": f"{settings.SITE_URL}{reverse('account_signup')}",
            "password_reset_url": f"{settings.SITE_URL}{reverse('account_reset_password')}",
        }
        try:
            self.send_mail("account/email/account_already_exists", email, links)
        except OSError:  # the response must be the same as for an address without an account
            logger.exception("an email about an existing account was not sent")


def _owner(credentials: dict[str, Any]) -> User | None:
    """Return the account whose password is being tried, by name or by address."""
    if email := credentials.get("email"):
        return next(iter(accounts_at_email(email)), None)
    return account_named(credentials.get("username", ""))
