"""Send a test email, or say in one sentence why it cannot be sent."""

from smtplib import SMTPException
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.core.management.commands.sendtestemail import Command as SendTestEmail

from web.email import email_state


class Command(SendTestEmail):
    """Django's command, with errors as one sentence."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Send the email and print its recipients."""
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
