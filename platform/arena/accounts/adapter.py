"""What this site does otherwise than allauth: who is held up by wrong passwords, and what letters say."""

import logging
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.core.internal import ratelimit
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.urls import reverse

from arena.accounts.account_email import MayWrite, SiteName, may_write
from arena.accounts.models import User
from arena.accounts.tasks import lock_notify
from web.email import link_to

logger = logging.getLogger(__name__)


class Adapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth is untyped
    """Guesses are counted by account and by the guesser's address together, so that nobody locks out another.

    Letters carry links that begin with ``SITE_URL``, never with what a request calls the site, and of all the letters
    to one mailbox only so many are sent in a day.
    """

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        owner = _owner(credentials)
        name = str(owner.pk) if owner else str(credentials.get("email") or credentials.get("username", "")).lower()
        return f"{name}@{ratelimit.get_ip(request)}"

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        try:
            super().pre_authenticate(request, **credentials)
        except ValidationError:
            if (owner := _owner(credentials)) is not None:
                lock_notify(owner.pk)
            raise

    def get_reauthentication_methods(self, user: User) -> list[dict[str, Any]]:
        """Whoever has a second factor confirms by it: a password alone neither ends it nor shows recovery codes. A
        passkey is asked for before codes."""
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        factors = [one for one in methods if one["id"].startswith("mfa_reauthenticate")]
        return factors[::-1] or methods

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        if may_write(MayWrite.ANY, email):
            given = {"email": email, "current_site": SiteName(), **context}
            self.render_mail(template_prefix, email, given).send()

    def send_notification_mail(self, template_prefix: str, user: User, *given: Any, **named: Any) -> None:
        """Tell people of each change of their second factor; of what else, allauth's settings say."""
        if not template_prefix.startswith("mfa/"):
            super().send_notification_mail(template_prefix, user, *given, **named)
        elif user.email:
            change = template_prefix.rpartition("/")[2]
            context = {"user": user, "change": change, "password_reset_url": link_to("account_reset_password")}
            try:
                self.send_mail("account/email/second_factor", user.email, context)
            except OSError:  # what was changed is changed
                logger.exception("a letter about a second factor was not sent")

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
        self.send_mail("account/email/account_already_exists", email, links)


def _owner(credentials: dict[str, Any]) -> User | None:
    """Return the account whose password is being tried, by name or by address."""
    if email := credentials.get("email"):
        known = EmailAddress.objects.filter(email__iexact=email).select_related("user").first()
        return known.user if known else User.objects.filter(email__iexact=email).first()
    return User.objects.filter(username__iexact=credentials.get("username", "")).first()
