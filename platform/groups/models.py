"""Groups, their members, the log of membership changes, invitations, and the roster of expected people."""

from typing import ClassVar, Final
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from web.invitations import LimitedInvitation
from web.name_keys import Keyed, KeyedManager, KeyField

NAME_MOST: Final = 80  # characters, like the three below
ALIAS_MOST: Final = 30
ROSTER_ID_MOST: Final = 60
COHORT_MOST: Final = 60


class GroupKind(models.TextChoices):
    CLASS = "class", _("class")
    CLUB = "club", _("club")
    COMPANY = "company", _("company")


class Group(models.Model):
    """A group of people. Its members are never public; with ``is_listed``, its name and kind are.

    With ``uses_aliases``, members see each other's aliases, and only owners and staff of the group see which member
    uses which alias. ``has_large_uploads`` tells that staff of the site allow the group's members larger uploads.
    ``closed_at`` is set when the last owner deletes their account and no staff member of the group can replace them.
    After that, nobody can join.
    """

    name = models.CharField(_("name"), max_length=NAME_MOST)
    slug = models.SlugField(max_length=90, unique=True)
    kind = models.CharField(_("kind"), max_length=10, choices=GroupKind.choices, default=GroupKind.CLASS)
    is_listed = models.BooleanField(_("shown in the list of groups"), default=False)
    uses_aliases = models.BooleanField(_("members are called by aliases"), default=False)
    has_large_uploads = models.BooleanField(_("larger uploads"), default=False, db_default=False, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="groups_created",
        verbose_name=_("created by"),
    )
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=GroupKind.values), name="group_kind_known"),
            models.CheckConstraint(condition=~Q(name=""), name="group_has_a_name"),
        ]

    def __str__(self) -> str:
        return self.name


class GroupRole(models.TextChoices):
    """Owners may do everything; staff manage members, the roster and invitations."""

    OWNER = "owner", _("owner")
    STAFF = "staff", pgettext_lazy("group", "staff")
    MEMBER = "member", _("member")


class GroupMember(Keyed):
    """A person in a group. ``roster_id`` is the person's id at the school or company, ``alias`` the name in the group.

    ``is_untold`` tells that somebody else added the person, and that the person has not been notified yet.
    ``letter_claimed_until`` is the end of a worker's claim to send the email about this.
    """

    group = models.ForeignKey(Group, models.CASCADE, related_name="members")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="group_memberships")
    role = models.CharField(_("role"), max_length=10, choices=GroupRole.choices, default=GroupRole.MEMBER)
    roster_id = models.CharField(_("roster id"), max_length=ROSTER_ID_MOST, blank=True)
    name = models.CharField(_("name on the roster"), max_length=NAME_MOST, blank=True)
    alias = models.CharField(_("alias"), max_length=ALIAS_MOST, blank=True)
    alias_key = KeyField(of="alias")
    cohort = models.CharField(_("cohort"), max_length=COHORT_MOST, blank=True)
    joined_at = models.DateTimeField(_("joined"), auto_now_add=True)
    is_untold = models.BooleanField(default=False, db_default=False)
    letter_claimed_until = models.DateTimeField(null=True, blank=True)

    objects: ClassVar[KeyedManager["GroupMember"]] = KeyedManager()

    class Meta:
        ordering = ["joined_at", "pk"]
        constraints = [
            models.UniqueConstraint("group", "person", name="person_joins_a_group_once"),
            # Rows without an alias have NULL, and NULLs are not equal.
            models.UniqueConstraint("group", "alias_key", name="alias_is_one_persons"),
            models.UniqueConstraint("group", "roster_id", condition=~Q(roster_id=""), name="roster_id_is_one_members"),
            models.CheckConstraint(condition=Q(role__in=GroupRole.values), name="group_role_known"),
        ]
        indexes = [models.Index("id", name="group_member_to_tell", condition=Q(is_untold=True))]

    def __str__(self) -> str:
        return f"{self.person_id} in {self.group_id}"

    @property
    def manages(self) -> bool:
        """Whether they manage the group: owners and staff."""
        return self.role != GroupRole.MEMBER


class MemberAct(models.TextChoices):
    JOINED = "joined", _("joined")
    ADDED = "added", _("was added")
    LEFT = "left", _("left")
    REMOVED = "removed", _("was removed")
    ROLE = "role", _("has another role")


class MemberChange(models.Model):
    """A change of a membership, and who made it. ``by`` is the person if they joined or left themselves.

    If an account is deleted, the row is kept without the account. ``role`` is the role after the change; if the person
    is no longer a member, it is their last role.
    """

    group = models.ForeignKey(Group, models.CASCADE, related_name="changes")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="group_changes")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="group_changes_made")
    act = models.CharField(max_length=10, choices=MemberAct.choices)
    role = models.CharField(max_length=10, choices=GroupRole.choices)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(act__in=MemberAct.values), name="member_change_act_known"),
            models.CheckConstraint(condition=Q(role__in=GroupRole.values), name="member_change_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.group_id} {self.act}"


class InvitationKind(models.TextChoices):
    """A link to click, a short code to type, a printed slip for one person, or a link that was sent by email."""

    LINK = "link", _("link")
    CODE = "code", _("code")
    SLIP = "slip", _("slip")
    LETTER = "letter", _("email")


class GroupInvitation(LimitedInvitation):
    """An invitation to a group. Slips that are printed together share a ``batch``.

    An invitation that was made for a ``row`` of the roster is deleted together with the row. When a person joins with
    it, their membership replaces the row.
    """

    group = models.ForeignKey(Group, models.CASCADE, related_name="invitations")
    kind = models.CharField(max_length=10, choices=InvitationKind.choices)
    batch = models.UUIDField(default=uuid4, db_index=True)
    role = models.CharField(max_length=10, choices=GroupRole.choices, default=GroupRole.MEMBER)
    row = models.ForeignKey("RosterRow", models.CASCADE, null=True, blank=True, related_name="invitations")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="group_invitations"
    )

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=InvitationKind.values), name="group_invitation_kind_known"),
            models.CheckConstraint(
                condition=Q(role__in=[GroupRole.MEMBER, GroupRole.STAFF]), name="group_invitation_makes_no_owner"
            ),
            models.CheckConstraint(
                condition=Q(uses_left__lte=F("uses_most")) & Q(uses_most__gte=1), name="group_invitation_uses_left"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class RosterRow(Keyed):
    """A person on the roster who is not a member yet.

    When the person joins, a ``GroupMember`` with the same data replaces the row. ``written_at`` is when the person was
    invited by email; while it is null, an invitation is sent if there is an address. ``letter`` identifies this email
    and its link, and is the same for all attempts to send it. ``letter_claimed_until`` is the end of a worker's claim
    to send the email, or the time until which the email has to wait.
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
            # Rows without an address have NULL, and NULLs are not equal.
            models.UniqueConstraint("group", "email_key", name="roster_row_email_once"),
            models.UniqueConstraint("group", "alias_key", name="roster_row_alias_once"),
            models.UniqueConstraint("group", "roster_id", condition=~Q(roster_id=""), name="roster_row_id_once"),
            models.CheckConstraint(condition=~Q(roster_id="", name="", email=""), name="roster_row_says_who_it_is"),
        ]
        indexes = [models.Index("id", name="roster_row_to_write_to", condition=~Q(email="") & Q(written_at=None))]

    def __str__(self) -> str:
        return self.name or self.roster_id or self.email


class MailboxLetter(models.Model):
    """An email sent within the last day to an address without an account. Only a ``digest`` of it is stored."""

    digest = models.CharField(max_length=64)
    letter = models.UUIDField()
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint("digest", "letter", name="mailbox_letter_counts_once")]

    def __str__(self) -> str:
        return self.digest[:8]
