"""Ways into a group."""

from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from groups.models.group import Group, GroupRole
from groups.models.roster import RosterRow
from web.invitations import LimitedInvitation


class InvitationKind(models.TextChoices):
    """A link to click, a short code to type, a printed slip for one person, or a link that was sent by e-mail."""

    LINK = "link", _("link")
    CODE = "code", _("code")
    SLIP = "slip", _("slip")
    LETTER = "letter", _("e-mail")


class GroupInvitation(LimitedInvitation):
    """A way into a group. Slips that are printed together have one ``batch``. ``row``: who comes in by it takes over
    this row of the roster, and the invitation goes with the row."""

    group = models.ForeignKey(Group, models.CASCADE, related_name="invitations")
    kind = models.CharField(max_length=10, choices=InvitationKind.choices)
    batch = models.UUIDField(default=uuid4, db_index=True)
    role = models.CharField(max_length=10, choices=GroupRole.choices, default=GroupRole.MEMBER)
    row = models.ForeignKey(RosterRow, models.CASCADE, null=True, blank=True, related_name="invitations")
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
