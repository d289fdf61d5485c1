"""Refuse passwords known from breaches, by a service that speaks the range API of Have I Been Pwned.

It receives the first five digits of the password's SHA-1, and answers with all that begin so:
https://haveibeenpwned.com/API/v3#SearchingPwnedPasswordsByRange.
"""

from django.conf import settings
from django.utils.translation import gettext_lazy as _
from pwned_passwords_django.api import PwnedPasswords
from pwned_passwords_django.validators import PwnedPasswordsValidator


class RangeService(PwnedPasswords):  # type: ignore[misc]  # untyped
    """The service of the settings. Connecting, and each answer, may take a second."""

    def __init__(self) -> None:
        super().__init__()
        self.api_endpoint = settings.BREACHED_PASSWORDS_URL


class BreachedPasswordValidator(PwnedPasswordsValidator):  # type: ignore[misc]  # untyped
    """Refuses what the service knows. When it does not answer that is logged, and the password is taken."""

    def __init__(self) -> None:
        message = _("This password is in lists of stolen passwords: choose another.")
        super().__init__(error_message=message, api_client=RangeService())

    def get_help_text(self) -> str:
        """Return what forms say beforehand."""
        return str(_("Your password must not be in a list of stolen passwords."))
