"""Send email as plain text and as HTML with the same words, and record whether the mail server accepts it."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from email.utils import formataddr, parseaddr
from smtplib import SMTPException, SMTPSenderRefused, SMTPServerDisconnected
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.core.cache import caches
from django.core.mail import EmailMultiAlternatives
from django.core.mail.backends.smtp import EmailBackend
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

SENT: Final = "mail-sent-at"
FAILED: Final = "mail-failed"


class MailAway(ConnectionError):
    """The mail server accepts no email from this site, regardless of the recipients."""


@dataclass(frozen=True, slots=True)
class MailState:
    """The result of the last emails. ``sent_at`` is the time of the last email that the mail server accepted.

    ``failed_at`` is the time of a later email that it did not accept, and ``why`` the reason.
    """

    leaves: bool  # False: emails are written to files instead of being sent
    sent_at: datetime | None
    failed_at: datetime | None = None
    why: str = ""

    @property
    def is_failing(self) -> bool:
        """Whether the last email could not be delivered to the mail server."""
        return self.failed_at is not None


class SmtpBackend(EmailBackend):
    """Django's SMTP backend, with a record of whether the server accepted the last email.

    An error of a single email, such as a rejected address, does not count as a failure of the mail server: otherwise
    anybody could cause a failure.
    """

    def open(self) -> bool | None:
        try:
            return super().open()
        except OSError as error:
            raise _away(error) from error

    def _send(self, email_message: Any) -> bool:
        try:
            sent: bool = super()._send(email_message)  # type: ignore[misc]  # not in the stubs
        except (SMTPSenderRefused, SMTPServerDisconnected) as error:
            raise _away(error) from error
        except SMTPException:
            raise
        except OSError as error:
            raise _away(error) from error
        if sent:
            caches["optional"].set(SENT, timezone.now(), None)
            caches["optional"].delete(FAILED)
        return sent


def email_state() -> MailState:
    """Return the state of the last emails, as far as the cache has it."""
    times = caches["optional"].get_many([SENT, FAILED])
    leaves = f"{__name__}.SmtpBackend" == settings.EMAIL_BACKEND
    return MailState(leaves, times.get(SENT), *(times.get(FAILED, ()) if leaves else ()))


def email_link_to(name: str, *args: object) -> str:
    """Return the absolute URL of a page, for emails."""
    return f"{settings.SITE_URL}{reverse(name, args=args)}"


@contextmanager
def email_language_of(person: AbstractUser | None) -> Iterator[None]:
    """Activate the language that ``person`` chose last, within the block. Without a stored choice, nothing changes."""
    language = getattr(person, "language", None)
    with translation.override(language if language in dict(settings.LANGUAGES) else translation.get_language()):
        yield


def _away(error: OSError) -> MailAway:
    why = f"{type(error).__name__}: {error}"
    caches["optional"].set(FAILED, (timezone.now(), why), None)
    return MailAway(f"the mail server does not take letters: {why}")


TEMPLATE: Final = "site/letter.html"
SIGNED: Final = "-- \n"  # defined by RFC 3676: mail programs omit the rest in replies
_AFTER_LINK: Final = ".,;:)"


def email_message(*, to: str, subject: str, text: str, below: str = "") -> EmailMultiAlternatives:
    """Return an email with ``text``, whose paragraphs are separated by empty lines.

    ``below`` is a line below the signature, for example about unsubscribing. URLs of this site become links; a URL at
    the end of its line is shown as a button. Other URLs do not become links, because the name of a bot or a tournament
    may be the address of a site.
    """
    text = text.strip()
    host = urlsplit(settings.SITE_URL).netloc or "localhost"
    signed = f"{text}\n\n{SIGNED}{settings.SITE_NAME}\n{settings.SITE_URL or host}\n"
    if below:
        signed += f"{below}\n"
    message = EmailMultiAlternatives(subject, signed, _sender(), [to])
    paragraphs = [[_line(line) for line in part.splitlines()] for part in re.split(r"\n\s*\n", text)]
    names = {"site_name": settings.SITE_NAME, "home": settings.SITE_URL, "host": host, "below": _linked(below)}
    html = render_to_string(TEMPLATE, {"subject": subject, "paragraphs": paragraphs, **names})
    message.attach_alternative(html, "text/html")
    return message


def _sender() -> str:
    """Return the site's sender address. Its name is the site's unless the settings give another."""
    name, address = parseaddr(settings.DEFAULT_FROM_EMAIL)
    return formataddr((name or settings.SITE_NAME, address))


def _line(line: str) -> SafeString:
    before, at_end = line, ""
    if settings.SITE_URL and (found := re.search(rf"{re.escape(settings.SITE_URL)}/\S*[^\s{_AFTER_LINK}]$", line)):
        before, at_end = line[: found.start()], found[0]
    return format_html("{}{}", _linked(before), _link(at_end, box=True) if at_end else "")


def _linked(line: str) -> SafeString:
    if not settings.SITE_URL:
        return format_html("{}", line)
    parts = re.split(rf"({re.escape(settings.SITE_URL)}/\S*)", line)
    return format_html_join("", "{}", ((_link(part) if at % 2 else part,) for at, part in enumerate(parts)))


def _link(found: str, *, box: bool = False) -> SafeString:
    address = found.rstrip(_AFTER_LINK)
    look = format_html(' class="{}"', "box") if box else ""
    return format_html('<a href="{}"{}>{}</a>{}', address, look, address, found[len(address) :])
