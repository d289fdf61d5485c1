"""The second factor of signing in: passkeys, codes of an app and codes to recover with, by ``allauth.mfa``.

What this site adds: secrets are encrypted, and of some people it is required (``MFA_REQUIRED_OF``).
"""

import logging
import secrets
from base64 import b32encode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from typing import Any, Final

from allauth.account.adapter import get_adapter
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AbstractUser, AnonymousUser
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

logger = logging.getLogger(__name__)

NOBODY: Final = "nobody"
STAFF: Final = "staff"
ORGANISERS: Final = "organisers"
FACTORS: Final = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)  # codes to recover with are none by themselves
# What somebody who lacks a required second factor still reaches: to set it up, to confirm an address, to sign out.
WAYS_OUT: Final = ("account_", "mfa_", "set_language", "theme", "javascript-catalog")


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # allauth is untyped
    """Keeps secrets encrypted by keys that follow from ``SECRET_KEY`` and ``SECRET_KEY_FALLBACKS``."""

    error_messages: Final = DefaultMFAAdapter.error_messages | {  # theirs do not say what to do
        "add_email_blocked": gettext_lazy(
            "No address can be added while a second factor is set up: switch it off, add the address and confirm it,"
            " then set it up again."
        ),
        "unverified_email": gettext_lazy(
            "An address of your account is not confirmed yet: confirm it, or remove it, under Email. Then set up a"
            " second factor."
        ),
    }

    def encrypt(self, text: str) -> str:
        """Return ``text`` as it is stored."""
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Return what was encrypted. What was so by a key that is gone is replaced by chance: no code fits it."""
        try:
            return _cipher().decrypt(encrypted_text.encode()).decode()
        except InvalidToken:
            logger.error("a second factor was stored under another SECRET_KEY: its owner cannot sign in by it")
            return b32encode(secrets.token_bytes(20)).decode()

    def get_totp_label(self, user: AbstractUser) -> str:
        """Return what an app calls the account."""
        return user.get_username()

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """Return what browsers and keys call this site, and the host whose pages alone may use its passkeys."""
        site: dict[str, str] = super().get_public_key_credential_rp_entity()
        return site | {"name": settings.SITE_NAME}

    def get_public_key_credential_user_entity(self, user: AbstractUser) -> dict[str, Any]:
        """Return what they call the account."""
        account: dict[str, Any] = super().get_public_key_credential_user_entity(user)
        return account | {"name": user.get_username(), "display_name": user.get_username()}

    def generate_authenticator_name(self, user: AbstractUser, type: str) -> str:  # noqa: A002  allauth names it so
        """Return what a new passkey is called unless its owner says otherwise."""
        return _("Passkey %(number)d") % {"number": Authenticator.objects.filter(user=user, type=type).count() + 1}


def has_second_factor(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Tell whether ``user`` signs in with a passkey or a code in addition to the password."""
    found: bool = Authenticator.objects.filter(user=user.pk, type__in=FACTORS).exists()
    return found


def second_factor_is_recommended(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Tell whether ``user`` may do to others what a thief of a password should not."""
    return bool(getattr(user, "is_staff", False) or getattr(user, "is_organiser", False))


def second_factor_is_required(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Tell whether ``MFA_REQUIRED_OF`` names ``user``."""
    if settings.MFA_REQUIRED_OF == ORGANISERS:
        return second_factor_is_recommended(user)
    return settings.MFA_REQUIRED_OF == STAFF and bool(getattr(user, "is_staff", False))


def second_factor_is_lacking(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Tell whether ``user`` has yet to set up what is required."""
    return second_factor_is_required(user) and not has_second_factor(user)


def second_factor_end(*, person: AbstractUser) -> bool:
    """Delete all second factors and the recovery codes of somebody who has lost them, and tell them; False if there are
    none.
    """
    deleted, _by_model = Authenticator.objects.filter(user=person.pk).delete()
    if deleted:
        get_adapter().send_notification_mail("mfa/email/totp_deactivated", person)
    return bool(deleted)


class SecondFactorMiddleware:
    """Redirects people who lack a required second factor to its set-up, from every page. The API refuses their
    tokens."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if settings.MFA_REQUIRED_OF == NOBODY:
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_view: object) -> HttpResponse | None:
        """Answer in the view's place where something is missing."""
        match = request.resolver_match
        name = match.view_name if match else ""
        if settings.SESSION_COOKIE_NAME not in request.COOKIES or request.path_info.startswith("/api/"):
            return None  # nobody is signed in, or a token decides who asks
        if name.startswith(WAYS_OUT) or not second_factor_is_lacking(request.user):
            return None
        return HttpResponseRedirect(reverse("mfa_index"))


def _cipher() -> MultiFernet:
    return MultiFernet(list(_keys()))


def _keys() -> Iterator[Fernet]:
    for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        digest = salted_hmac("accounts.second_factor", "", secret=secret, algorithm="sha256").digest()
        yield Fernet(urlsafe_b64encode(digest))
