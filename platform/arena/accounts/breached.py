"""Refuse passwords known from data breaches, by a service with the range API of Have I Been Pwned.

The service receives the first five hexadecimal digits of the password's SHA-1 and returns all hashes that begin with
them: https://haveibeenpwned.com/API/v3#SearchingPwnedPasswordsByRange.
"""

from django.conf import settings
from django.utils.translation import gettext_lazy as _
from pwned_passwords_django.api import PwnedPasswords
from pwned_passwords_django.validators import PwnedPasswordsValidator


class RangeService(PwnedPasswords):  # type: ignore[misc]  # untyped
    """The client of the service in the settings. Connecting and each response may take one second."""

    def __init__(self) -> None:
        super().__init__()
        self.api_endpoint = settings.BREACHED_PASSWORDS_URL


class BreachedPasswordValidator(PwnedPasswordsValidator):  # type: ignore[misc]  # untyped
    """Refuse passwords that the service knows. If the service does not answer, log it and accept the password."""

    def __init__(self) -> None:
        message = _("This password is in lists of stolen passwords: choose another.")
        super().__init__(error_message=message, api_client=RangeService())

    def get_help_text(self) -> str:
        """Return the rule that forms show."""
        return str(_("Your password must not be in a list of stolen passwords."))
