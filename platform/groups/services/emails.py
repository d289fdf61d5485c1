"""Emails of groups: invitations for people on a roster, and messages to people who were added.

The rows are the outbox. A row is claimed, sent, and then marked as sent. If the process is killed after sending, the
claim expires, and the same email is sent again. It has the same link and ``Message-ID``, so that mail programs show it
once.
"""

import logging
from base64 import urlsafe_b64encode
from datetime import timedelta
from typing import Any, Final
from uuid import UUID, uuid4

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy

from groups.models import GroupInvitation, GroupMember, InvitationKind, MailboxLetter, RosterRow
from web.email import MailAway, email_language_of, email_link_to, email_message
from web.invitations import LINK_BYTES, invitation_token_digest

logger = logging.getLogger(__name__)

MOST: Final = 50  # emails in one run; few, because the mail server may be slow
LETTER_DAYS: Final = 60
CLAIM: Final = timedelta(minutes=5)
MAILBOX_MOST: Final = 3  # emails a day to an address without an account
DAY: Final = timedelta(days=1)

INVITED_SUBJECT: Final = gettext_lazy("%(by)s invites you to %(group)s")
INVITED: Final = gettext_lazy(
    "Hello %(name)s,\n\n"
    "%(by)s has put you on the list of %(group)s at %(site)s, where programs play board games against each other.\n"
    "Join here, with a new account or your own: %(link)s\n"
    "The link is for you alone and works until %(until)s. If you do not want to join, do nothing.\n"
)
ADDED_SUBJECT: Final = gettext_lazy("You are in %(group)s now")
ADDED: Final = gettext_lazy(
    "Hello %(name)s,\n\nYou were added to %(group)s.\nSee what that means, or leave it there: %(link)s\n"
)


def group_emails_send(*, most: int = MOST) -> int:
    """Send waiting emails, at most ``most``. Return the number of emails sent.

    If the mail server is unavailable, the next call tries again.
    """
    sent, free = 0, _free()
    rows = RosterRow.objects.filter(free, written_at=None, group__closed_at=None).exclude(email="")
    members = GroupMember.objects.filter(free, is_untold=True)
    try:
        for row in rows.select_related("group__created_by").order_by("pk")[:most]:
            sent += _invite(row)
        for member in members.select_related("group", "person").order_by("pk")[: most - sent]:
            sent += _added_email_send(member)
    except MailAway:
        logger.warning("emails of groups wait: the mail server is unavailable")
    MailboxLetter.objects.filter(created_at__lt=timezone.now() - DAY).delete()
    return sent


def _free() -> Q:
    """Return the condition for rows that no other worker is sending."""
    return Q(letter_claimed_until=None) | Q(letter_claimed_until__lte=timezone.now())


def _invite(row: RosterRow) -> bool:
    """Send a person their own link.

    Return False if another worker sends it, or the address is rejected or over its limit.
    """
    known = EmailAddress.objects.filter(email=row.email_key, verified=True).select_related("user").first()
    with transaction.atomic():
        mine = RosterRow.objects.filter(_free(), pk=row.pk, written_at=None)
        if not mine.update(letter=row.letter or uuid4(), letter_claimed_until=timezone.now() + CLAIM):
            return False
        row.refresh_from_db(fields=["letter"])
        assert row.letter is not None  # noqa: S101  it was just written
        if known is None and not _may_write_to(row.email_key or "", row.letter):
            RosterRow.objects.filter(pk=row.pk).update(letter_claimed_until=timezone.now() + DAY)
            return False
        token = _token(row.letter)
        invitation = _invitation(row, token)
    by = row.group.created_by
    values = {
        "name": row.name,
        "by": by.get_username() if by else row.group.name,
        "group": row.group.name,
        "site": email_link_to("home"),
        "link": email_link_to("groups:follow", token),
    }
    sent = RosterRow.objects.filter(pk=row.pk)
    try:
        with email_language_of(known.user if known else by):
            values["until"] = date_format(invitation.expires_at, "DATE_FORMAT")
            _send(row.email, str(INVITED_SUBJECT) % values, str(INVITED) % values, row.letter.hex)
    except MailAway:
        sent.update(letter_claimed_until=None)
        raise
    except OSError:  # the error concerns only this address
        logger.exception("an invitation to a group was not sent")
        sent.update(written_at=timezone.now(), letter_claimed_until=None)
        return False
    sent.update(written_at=timezone.now(), letter_claimed_until=None)
    return True


def _invitation(row: RosterRow, token: str) -> GroupInvitation:
    """Return the invitation with this token. Revoke earlier invitations that were sent for the row."""
    earlier = GroupInvitation.objects.filter(row=row, kind=InvitationKind.LETTER, revoked_at=None)
    earlier.exclude(digest=invitation_token_digest(token)).update(revoked_at=timezone.now())
    return GroupInvitation.objects.get_or_create(
        digest=invitation_token_digest(token),
        defaults={
            "group": row.group,
            "kind": InvitationKind.LETTER,
            "row": row,
            "uses_most": 1,
            "uses_left": 1,
            "created_by": row.group.created_by,
            "expires_at": timezone.now() + timedelta(days=LETTER_DAYS),
        },
    )[0]


def _added_email_send(member: GroupMember) -> bool:
    mine = GroupMember.objects.filter(_free(), pk=member.pk, is_untold=True)
    if not mine.update(letter_claimed_until=timezone.now() + CLAIM):
        return False
    person, sent = member.person, GroupMember.objects.filter(pk=member.pk)
    values = {
        "name": person.get_username(),
        "group": member.group.name,
        "link": email_link_to("groups:detail", member.group.slug),
    }
    try:
        if person.email:
            with email_language_of(person):
                _send(person.email, str(ADDED_SUBJECT) % values, str(ADDED) % values, f"member.{member.pk}")
    except MailAway:
        sent.update(letter_claimed_until=None)
        raise
    except OSError:
        logger.exception("an email about a group was not sent")
        sent.update(is_untold=False, letter_claimed_until=None)
        return False
    sent.update(is_untold=False, letter_claimed_until=None)
    return True


def _send(to: str, subject: str, text: str, name: str) -> None:
    message: Any = email_message(to=to, subject=subject, text=text)
    _at, _sign, domain = settings.DEFAULT_FROM_EMAIL.rpartition("@")
    message.extra_headers["Message-ID"] = f"<groups.{name}@{domain.rstrip('>') or 'localhost'}>"
    message.send()


def _token(letter_id: UUID) -> str:
    """Return the token of a link. It is the same for each attempt, and cannot be computed without the site's key."""
    made = salted_hmac("groups.letter", letter_id.hex, algorithm="sha256").digest()
    return urlsafe_b64encode(made[:LINK_BYTES]).decode()


def _may_write_to(mailbox: str, letter_id: UUID) -> bool:
    """Count an email, and return whether the address may get it today. Repeated attempts count once.

    Only a digest of the address is stored, for a day.
    """
    digest = salted_hmac("groups.mailbox", mailbox, algorithm="sha256").hexdigest()
    today = MailboxLetter.objects.filter(digest=digest, created_at__gt=timezone.now() - DAY)
    if today.filter(letter=letter_id).exists():
        return True
    if today.count() >= MAILBOX_MOST:
        return False
    MailboxLetter.objects.create(digest=digest, letter=letter_id)
    return True
