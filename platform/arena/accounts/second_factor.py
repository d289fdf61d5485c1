"""The second factor of signing in: passkeys, app codes and recovery codes, by ``allauth.mfa``.

This site adds encryption of the secrets, and can require a second factor of some users (``MFA_REQUIRED_OF``).
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
FACTORS: Final = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)  # recovery codes alone are no second factor
# URL names that a user without a required second factor may open: to set it up, confirm an address, or sign out.
WAYS_OUT: Final = ("account_", "mfa_", "set_language", "theme", "javascript-catalog")


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # allauth is untyped
    """Encrypt secrets with keys derived from ``SECRET_KEY`` and ``SECRET_KEY_FALLBACKS``."""

    error_messages: Final = DefaultMFAAdapter.error_messages | {  # allauth's own messages do not say what to do
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
        """Return ``text`` encrypted, as it is stored."""
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Return the decrypted secret. If the key with which it was encrypted is gone, return a random secret, which no
        code matches.
        """
        try:
            return _cipher().decrypt(encrypted_text.encode()).decode()
        except InvalidToken:
            logger.error("a second factor is encrypted with another SECRET_KEY, so its owner cannot use it")
            return b32encode(secrets.token_bytes(20)).decode()

    def get_totp_label(self, user: AbstractUser) -> str:
        """Return the name of the account in authenticator apps."""
        return user.get_username()

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """Return the name of this site for browsers and keys, and its host. Only pages of this host may use the site's
        passkeys.
        """
        site: dict[str, str] = super().get_public_key_credential_rp_entity()
        return site | {"name": settings.SITE_NAME}

    def get_public_key_credential_user_entity(self, user: AbstractUser) -> dict[str, Any]:
        """Return the names of the account for browsers and keys."""
        account: dict[str, Any] = super().get_public_key_credential_user_entity(user)
        return account | {"name": user.get_username(), "display_name": user.get_username()}

    def generate_authenticator_name(self, user: AbstractUser, type: str) -> str:  # noqa: A002  allauth names it so
        """Return the default name of a new passkey."""
        return _("Passkey %(number)d") % {"number": Authenticator.objects.filter(user=user, type=type).count() + 1}


def has_second_factor(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Return whether ``user`` signs in with a passkey or a code in addition to the password."""
    found: bool = Authenticator.objects.filter(user=user.pk, type__in=FACTORS).exists()
    return found


def second_factor_is_recommended(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Return whether ``user`` has rights over other users. A stolen password alone should not be enough to use them."""
    return bool(getattr(user, "is_staff", False) or getattr(user, "is_organiser", False))


def second_factor_is_required(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Return whether ``MFA_REQUIRED_OF`` includes ``user``."""
    if settings.MFA_REQUIRED_OF == ORGANISERS:
        return second_factor_is_recommended(user)
    return settings.MFA_REQUIRED_OF == STAFF and bool(getattr(user, "is_staff", False))


def second_factor_is_lacking(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Return whether ``user`` must still set up a required second factor."""
    return second_factor_is_required(user) and not has_second_factor(user)


def second_factor_end(*, person: AbstractUser) -> bool:
    """Delete all second factors and recovery codes of a user who has lost them, and notify the user. Return False if
    there are none.
    """
    deleted, _by_model = Authenticator.objects.filter(user=person.pk).delete()
    if deleted:
        get_adapter().send_notification_mail("mfa/email/totp_deactivated", person)
    return bool(deleted)


class SecondFactorMiddleware:
    """Redirect users who lack a required second factor from every page to the page on which they set one up. The API
    refuses their tokens.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if settings.MFA_REQUIRED_OF == NOBODY:
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_view: object) -> HttpResponse | None:
        """Return a redirect for a user who lacks the second factor, else None."""
        match = request.resolver_match
        name = match.view_name if match else ""
        if settings.SESSION_COOKIE_NAME not in request.COOKIES or request.path_info.startswith("/api/"):
            return None  # nobody is signed in, or a token authenticates the request
        if name.startswith(WAYS_OUT) or not second_factor_is_lacking(request.user):
            return None
        return HttpResponseRedirect(reverse("mfa_index"))


def _cipher() -> MultiFernet:
    return MultiFernet(list(_keys()))


def _keys() -> Iterator[Fernet]:
    for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        digest = salted_hmac("accounts.second_factor", "", secret=secret, algorithm="sha256").digest()
        yield Fernet(urlsafe_b64encode(digest))
