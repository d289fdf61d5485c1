"""Send e-mail to people about what the pages show."""

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.core.mail import send_mail
from django.urls import reverse


def link_to(name: str, *args: object) -> str:
    """Return the whole address of a page: a letter has none of its own to begin from."""
    return f"{settings.SITE_URL}{reverse(name, args=args)}"


def email_send(*, to: AbstractUser, subject: str, text: str) -> None:
    """Write to ``to``, if there is an address to write to.

    Raises:
        OSError: the mail server does not take it.
    """
    if to.email:
        send_mail(subject, text, None, [to.email])
