"""A test letter, and in one sentence why it does not go."""

from smtplib import SMTPException
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.core.management.commands.sendtestemail import Command as SendTestEmail

from web.email import email_state


class Command(SendTestEmail):
    """Django's own, in plain words."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Send it, and say where it went."""
        try:
            super().handle(*args, **options)
        except (OSError, SMTPException) as error:
            raise CommandError(
                f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT} did not take the letter: {error}."
                " Look at the EMAIL_ settings."
            ) from None
        if email_state().leaves:
            self.stdout.write(f"{settings.EMAIL_HOST} took the letter, from {settings.DEFAULT_FROM_EMAIL}.")
        else:
            self.stdout.write(f"No mail server is set (EMAIL_HOST): the letter is in {settings.EMAIL_FILE_PATH}.")
