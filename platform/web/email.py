"""Send e-mail to people about what the pages show, and note whether the mail server takes it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from smtplib import SMTPException, SMTPSenderRefused, SMTPServerDisconnected
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.core.cache import caches
from django.core.mail.backends.smtp import EmailBackend
from django.urls import reverse
from django.utils import timezone, translation

SENT: Final = "mail-sent-at"
FAILED: Final = "mail-failed"


class MailAway(ConnectionError):
    """The mail server accepts no e-mails from this site, whatever their recipients."""


@dataclass(frozen=True, slots=True)
class MailState:
    """How sending went: ``sent_at`` is the last letter that was taken, ``failed_at`` the last that was not, after it,
    and ``why``."""

    leaves: bool  # False: e-mails are written to files, and none is sent
    sent_at: datetime | None
    failed_at: datetime | None = None
    why: str = ""

    @property
    def is_failing(self) -> bool:
        """Whether the last letter could not be handed over."""
        return self.failed_at is not None


class SmtpBackend(EmailBackend):
    """Django's, with a note of whether the server took the last letter.

    What concerns one letter alone, such as an address that the server refuses, is no failure of the site's mail: or
    anybody could cause one.
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


def mail_state() -> MailState:
    """Return how the last letters went, as far as the cache remembers."""
    kept = caches["optional"].get_many([SENT, FAILED])
    leaves = f"{__name__}.SmtpBackend" == settings.EMAIL_BACKEND
    return MailState(leaves, kept.get(SENT), *(kept.get(FAILED, ()) if leaves else ()))


def link_to(name: str, *args: object) -> str:
    """Return the whole address of a page: a letter has none of its own to begin from."""
    return f"{settings.SITE_URL}{reverse(name, args=args)}"


@contextmanager
def language_of(person: AbstractUser | None) -> Iterator[None]:
    """Speak the language that ``person`` chose last, for the block. Of who has chosen none, as before this was stored,
    nothing is known: the language stays."""
    language = getattr(person, "language", None)
    with translation.override(language if language in dict(settings.LANGUAGES) else translation.get_language()):
        yield


def _away(error: OSError) -> MailAway:
    why = f"{type(error).__name__}: {error}"
    caches["optional"].set(FAILED, (timezone.now(), why), None)
    return MailAway(f"the mail server does not take letters: {why}")
