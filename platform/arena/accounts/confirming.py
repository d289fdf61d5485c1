"""Who must confirm an address before signing in, and what happens where letters cannot be sent."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.account.stages import EmailVerificationStage
from django.contrib import messages
from django.utils.translation import gettext as _

from web.email import mail_state


class ConfirmationStage(EmailVerificationStage):  # type: ignore[misc]  # allauth is untyped
    """Ask for a confirmed address where the site requires one (``EMAIL_VERIFICATION``) and a letter can be sent.

    Mail that does not work locks nobody out: people sign in, are told, and confirm later. Nor is anybody asked who has
    no address, which only those have whom the operators made.
    """

    def handle(self) -> tuple[Any, bool]:
        """Return the answer that asks for it, or None to go on."""
        person = self.login.user
        if person is not None and not person.email and not EmailAddress.objects.filter(user=person).exists():
            return None, True
        response, goes_on = super().handle()
        if response and person is not None and mail_state().is_failing:
            messages.warning(
                self.request,
                _("You are signed in, but your address is not confirmed: this site cannot send letters at the moment."),
            )
            return None, True
        return response, goes_on
