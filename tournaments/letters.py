"""Letters to authors: what the pages say too, for those who are not looking."""

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.core.mail import send_mail
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.models import Tournament
from tournaments.selectors.proof import head_of


def link_to(name: str, *args: object) -> str:
    """The whole address of a page: a letter has none of its own to begin from."""
    return f"{settings.SITE_URL}{reverse(name, args=args)}"


def head_line(tournament: Tournament) -> str:
    """The head of its chain, to be kept with the letter; "" if it has none."""
    head = head_of(tournament)
    if head is None:
        return ""
    sentence = _(
        "\nIts chain has %(number)d links now, the last with the digest %(digest)s:\n"
        "with this letter you can tell later that nothing up to it was changed.\n"
    )
    return sentence % {"number": head.number, "digest": head.digest}


def letter_send(*, to: AbstractUser, subject: str, text: str) -> None:
    """Write to ``to``, if there is an address to write to.

    Raises:
        OSError: the mail server does not take it.
    """
    if to.email:
        send_mail(subject, text, None, [to.email])
