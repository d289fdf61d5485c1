"""Send emails about notices: one email to each person about everything that is due.

The rows are the outbox. A task claims a person's due notices as one batch. If the task is killed or the mail server is
unavailable, the same batch is sent later with the same Message-ID, so that mail programs show it once. A notice that
was read on the site before its digest is due is not sent. During a person's quiet hours nothing is sent: due notices
wait for the end of these hours. Nobody gets more than ``EMAILS_MOST`` emails within an hour; further notices wait, and
are sent in one email.
"""

import logging
from datetime import timedelta
from typing import Any, Final
from uuid import UUID, uuid4

from celery import current_app
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractUser
from django.core import signing
from django.db import transaction
from django.db.models import Count, Min, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from kombu.exceptions import OperationalError

from hooks.messages import hook_event_email_text
from notices.models import Notice
from notices.quiet_hours import quiet_hours_by_person
from notices.selectors import NoticeLine, notice_line_of, notices_readable
from web.database import database_after, database_now
from web.email import MailAway, email_language_of, email_link_to, email_message

logger = logging.getLogger(__name__)

EMAIL_TASK: Final = "notices.email"
CLAIM: Final = timedelta(minutes=5)
PEOPLE_AT_ONCE: Final = 200  # people to whom one task sends emails
AN_HOUR: Final = timedelta(hours=1)
EMAILS_MOST: Final = 20  # emails to one person within an hour
LINES_MOST: Final = 50  # lines with notices in one email
BATCH_MOST: Final = 5000  # notices that one email covers; further ones are in the next email
SALT: Final = "notices.unsubscribe"


def notice_emails_schedule() -> None:
    """Wake the sending task. If the message is lost, the periodic task sends a minute later."""
    try:
        current_app.send_task(EMAIL_TASK, expires=60)
    except (OperationalError, OSError):
        logger.exception("the broker is unavailable; emails about notices are sent later")


def due_notice_emails_send() -> int:
    """Send due emails to at most ``PEOPLE_AT_ONCE`` people: those who have waited longest come first. Return the number
    of emails sent.

    If the mail server is unavailable, the emails that are left wait for the next call.
    """
    _quiet_hold()
    _storm_hold()
    people = _due().values_list("person").annotate(first=Min("email_at")).order_by("first")[:PEOPLE_AT_ONCE]
    sent = 0
    for person in get_user_model().objects.in_bulk([pk for pk, _first in people]).values():
        try:
            sent += _send(person)
        except MailAway:
            logger.warning("the mail server is away; emails about notices are sent later")
            break
        except OSError:
            logger.exception("no email about notices could be sent to person %d", person.pk)
    return sent


def unsubscribe_token(person: Any) -> str:
    """Return the token of a link that turns off all emails about notices to ``person``. It never expires."""
    return signing.dumps(person.pk, salt=SALT)


def unsubscribe_token_person(token: str) -> AbstractUser | None:
    """Return the person of an unsubscribe ``token``; None if it is invalid. Safe for hostile text."""
    try:
        pk = signing.loads(token, salt=SALT)
    except signing.BadSignature:
        return None
    return get_user_model().objects.filter(pk=pk).first()


def _due() -> QuerySet[Notice]:
    """Return the notices that may be sent now: unread ones, and those of an unfinished batch."""
    free = Q(email_claimed_until=None) | Q(email_claimed_until__lte=database_now())
    unread = Q(read_at=None) | Q(email_batch__isnull=False)
    due = Notice.objects.filter(free, unread, emailed_at=None, email_at__lte=database_now())
    return due.filter(person__in=get_user_model().objects.filter(is_active=True))


def _quiet_hold() -> None:
    """Postpone the notices that are due to people in their quiet hours. They are due at the end of these hours."""
    now = timezone.now()
    for person, quiet in quiet_hours_by_person(_due().values("person")).items():
        if (end := quiet.end_after(now)) > now:
            _due().filter(person=person).update(email_at=end)


def _storm_hold() -> None:
    """Postpone the notices that are due to people who have got ``EMAILS_MOST`` emails within an hour. They are due an
    hour after the first of these emails.
    """
    sent = Notice.objects.filter(person__in=_due().values("person"), emailed_at__gt=database_after(-AN_HOUR))
    counted = sent.values("person").annotate(count=Count("email_batch", distinct=True), first=Min("emailed_at"))
    for person, first in counted.filter(count__gte=EMAILS_MOST).values_list("person", "first"):
        _due().filter(person=person).update(email_at=first + AN_HOUR)


def _claim(person: Any) -> tuple[UUID, list[Notice]]:
    """Claim an unfinished batch of a person. If there is none, make a batch of all due notices and claim it. Return the
    id of the batch and its notices.

    The list is empty if another task has claimed them.
    """
    with transaction.atomic():
        # This lock lets one task at a time claim notices of the person.
        get_user_model().objects.select_for_update(no_key=True).get(pk=person.pk)
        due = _due().filter(person=person).order_by("pk")
        begun = due.exclude(email_batch=None).values_list("email_batch", flat=True).first()
        mine = list(due.filter(email_batch=begun)[:BATCH_MOST])
        batch = begun or uuid4()
        claimed = Notice.objects.filter(pk__in=[one.pk for one in mine])
        claimed.update(email_batch=batch, email_claimed_until=database_after(CLAIM))
    return batch, mine


def _send(person: Any) -> int:
    batch, claimed = _claim(person)
    if not claimed:
        return 0
    own = Notice.objects.filter(person=person, email_batch=batch, emailed_at=None)
    claimed = notices_readable(person, claimed)
    if not person.email or not claimed:
        own.update(email_at=None, email_batch=None, email_claimed_until=None)
        return 0
    _message(person, batch, claimed).send()
    own.update(emailed_at=database_now(), email_claimed_until=None)
    return 1


def _message(person: Any, batch: UUID, claimed: list[Notice]) -> Any:
    with email_language_of(person):
        lines = [notice_line_of(one) for one in claimed]
        unsubscribe = email_link_to("notices:unsubscribe", unsubscribe_token(person))
        stop = _("Stop these emails: %(link)s") % {"link": unsubscribe}
        message = email_message(to=person.email, subject=_subject(lines), text=_text(lines), below=stop)
        message.extra_headers |= {
            "Message-ID": f"<notices.{batch.hex}@{_domain()}>",
            "List-Unsubscribe": f"<{unsubscribe}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",  # RFC 8058
            "Auto-Submitted": "auto-generated",
        }
    return message


def _subject(lines: list[NoticeLine]) -> str:
    if len(lines) == 1:
        return lines[0].text[:150]
    count = len(lines)
    return ngettext("%(count)d notice from %(site)s", "%(count)d notices from %(site)s", count) % {
        "count": count,
        "site": settings.SITE_NAME,
    }


def _text(lines: list[NoticeLine]) -> str:
    shown = [_part(one) for one in lines[:LINES_MOST]]
    if more := len(lines) - len(shown):
        shown.append(ngettext("and %(count)d more", "and %(count)d more", more) % {"count": more})
    shown.append(_("Choose what you hear about: %(link)s") % {"link": email_link_to("notices:settings")})
    return "\n\n".join(shown)


def _part(line: NoticeLine) -> str:
    link = f"{settings.SITE_URL}{line.path}" if line.path else ""
    return "\n".join(filter(None, [line.text, link, hook_event_email_text(line.notice.kind, line.notice.data)]))


def _domain() -> str:
    _at, _sign, domain = settings.DEFAULT_FROM_EMAIL.rpartition("@")
    return domain.rstrip(">") or "localhost"
