"""E-mails of groups: to who is on a roster, and to who was added. The rows are the outbox: what is not sent waits."""

import logging
from datetime import timedelta
from typing import Final

from allauth.account.models import EmailAddress
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy

from groups.models import GroupInvitation, GroupMember, InvitationKind, RosterRow
from web.email import MailAway, email_send, language_of, link_to
from web.invitations import digest_of, link_token
from web.letters import letter

logger = logging.getLogger(__name__)

MOST: Final = 50  # at once: each takes as long as the mail server likes
LETTER_DAYS: Final = 60

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


def letters_send(*, most: int = MOST) -> int:
    """Send what waits, ``most`` letters at most, each once. Return how many were sent. While the mail server is away
    nothing is lost: the next call tries again.
    """
    sent = 0
    rows = RosterRow.objects.filter(written_at=None, group__closed_at=None).exclude(email="")
    members = GroupMember.objects.filter(is_untold=True)
    try:
        for row in rows.select_related("group__created_by").order_by("pk")[:most]:
            sent += _invite(row)
        for member in members.select_related("group", "person").order_by("pk")[: most - sent]:
            sent += _tell(member)
    except MailAway:
        logger.warning("letters of groups wait: the mail server is away")
    return sent


def _invite(row: RosterRow) -> bool:
    """Send somebody their own link; False if another worker does, or the address is refused."""
    mine = RosterRow.objects.filter(pk=row.pk, written_at=None)
    if not mine.update(written_at=timezone.now()):
        return False
    token, until = link_token(), timezone.now() + timedelta(days=LETTER_DAYS)
    with transaction.atomic():
        GroupInvitation.objects.filter(row=row, kind=InvitationKind.LETTER, revoked_at=None).update(
            revoked_at=timezone.now()
        )
        GroupInvitation.objects.create(
            group=row.group,
            kind=InvitationKind.LETTER,
            digest=digest_of(token),
            row=row,
            uses_most=1,
            uses_left=1,
            created_by=row.group.created_by,
            expires_at=until,
        )
    known = EmailAddress.objects.filter(email=row.email_key, verified=True).select_related("user").first()
    by = row.group.created_by
    values = {
        "name": row.name,
        "by": by.get_username() if by else row.group.name,
        "group": row.group.name,
        "site": link_to("home"),
        "link": link_to("groups:follow", token),
        "until": f"{until:%Y-%m-%d}",
    }
    try:
        with language_of(known.user if known else by):
            subject, text = str(INVITED_SUBJECT) % values, str(INVITED) % values
            letter(to=row.email, subject=subject, text=text).send()
    except MailAway:
        RosterRow.objects.filter(pk=row.pk).update(written_at=None)
        raise
    except OSError:  # this address alone
        logger.exception("an invitation to a group was not sent")
        return False
    return True


def _tell(member: GroupMember) -> bool:
    mine = GroupMember.objects.filter(pk=member.pk, is_untold=True)
    if not mine.update(is_untold=False):
        return False
    values = {
        "name": member.person.get_username(),
        "group": member.group.name,
        "link": link_to("groups:detail", member.group.slug),
    }
    try:
        email_send(to=member.person, subject=ADDED_SUBJECT, text=ADDED, values=values)
    except MailAway:
        GroupMember.objects.filter(pk=member.pk).update(is_untold=True)
        raise
    except OSError:
        logger.exception("a letter about a group was not sent")
        return False
    return True
