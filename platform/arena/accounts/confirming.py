"""Who must confirm an address before signing in, and what happens where letters cannot be sent."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.account.stages import EmailVerificationStage
from django.contrib import messages
from django.utils.translation import gettext as _

from arena.accounts.models import User
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


def address_confirm(*, person: User) -> bool:
    """Count the address of somebody as confirmed without a letter; False if there is none, or another has confirmed it.

    For those who are made by the command: whoever may run it may do anything.
    """
    email = person.email.lower()
    if not email or EmailAddress.objects.filter(email=email, verified=True).exclude(user=person).exists():
        return False
    EmailAddress.objects.filter(user=person).exclude(email=email).update(primary=False)
    EmailAddress.objects.update_or_create(user=person, email=email, defaults={"verified": True, "primary": True})
    return True
