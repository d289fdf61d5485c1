"""Who is expected in a group and has not come yet."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from groups.models.group import ALIAS_MOST, COHORT_MOST, NAME_MOST, ROSTER_ID_MOST, Group
from web.name_keys import Keyed, KeyedManager, KeyField


class RosterRow(Keyed):
    """A person on the roster who is no member yet. The row is deleted when they join: a ``GroupMember`` takes over what
    it says. ``written_at``: when they were invited by e-mail; without it a letter is still to be sent, if there is an
    address to send it to. ``letter``: that e-mail, and its link, however often it is sent; ``letter_claimed_until``:
    until when a worker is sending it, or it has to wait.
    """

    group = models.ForeignKey(Group, models.CASCADE, related_name="roster")
    roster_id = models.CharField(max_length=ROSTER_ID_MOST, blank=True)
    name = models.CharField(max_length=NAME_MOST, blank=True)
    email = models.EmailField(blank=True)
    email_key = KeyField(of="email")
    cohort = models.CharField(max_length=COHORT_MOST, blank=True)
    alias = models.CharField(max_length=ALIAS_MOST, blank=True)
    alias_key = KeyField(of="alias")
    created_at = models.DateTimeField(auto_now_add=True)
    written_at = models.DateTimeField(null=True, blank=True)
    letter = models.UUIDField(null=True, blank=True)
    letter_claimed_until = models.DateTimeField(null=True, blank=True)

    objects: ClassVar[KeyedManager["RosterRow"]] = KeyedManager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint("group", "email_key", name="roster_row_email_once"),  # NULLs differ
            models.UniqueConstraint("group", "alias_key", name="roster_row_alias_once"),
            models.UniqueConstraint("group", "roster_id", condition=~Q(roster_id=""), name="roster_row_id_once"),
            models.CheckConstraint(condition=~Q(roster_id="", name="", email=""), name="roster_row_says_who_it_is"),
        ]
        indexes = [models.Index("id", name="roster_row_to_write_to", condition=~Q(email="") & Q(written_at=None))]

    def __str__(self) -> str:
        return self.name or self.roster_id or self.email


class MailboxLetter(models.Model):
    """A letter of the last day to a mailbox that belongs to no account. Of the address only ``digest`` is kept."""

    digest = models.CharField(max_length=64)
    letter = models.UUIDField()
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint("digest", "letter", name="mailbox_letter_counts_once")]

    def __str__(self) -> str:
        return self.digest[:8]
