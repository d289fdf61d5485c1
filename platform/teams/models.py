"""The models of teams: a team, its members, the links that let people join, and the log of its members."""

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from web.invitations import LimitedInvitation

NAME_MOST: Final = 30  # characters, as for a user name


class Team(models.Model):
    """People who own bots together. A team has an account, to which nobody can sign in. The account has the name of the
    team and is the ``owner`` of its bots. Team and account have the same primary key."""

    account = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="team")
    slug = models.SlugField(max_length=40, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.account_id}"

    @property
    def name(self) -> str:
        """The team's name. No user has the same name."""
        return self.account.get_username()


class TeamMember(models.Model):
    """A member of a team. The captain admits and removes members; every member may do everything else."""

    team = models.ForeignKey(Team, models.CASCADE, related_name="members")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="team_memberships")
    is_captain = models.BooleanField(default=False)
    joined_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["joined_at", "pk"]
        constraints = [
            models.UniqueConstraint("team", "person", name="person_joins_a_team_once"),
            models.UniqueConstraint("team", name="team_has_one_captain", condition=Q(is_captain=True)),
            models.CheckConstraint(condition=~Q(team=F("person")), name="team_is_not_its_own_member"),
        ]

    def __str__(self) -> str:
        return f"{self.person_id} in {self.team_id}"


class TeamInvitation(LimitedInvitation):
    """A link that lets people join a team."""

    team = models.ForeignKey(Team, models.CASCADE, related_name="invitations")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(uses_left__lte=F("uses_most")) & Q(uses_most__gte=1), name="team_invitation_uses_left"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pk}"


class TeamAct(models.TextChoices):
    FOUNDED = "founded", _("founded the team")
    JOINED = "joined", _("joined")
    LEFT = "left", _("left")
    REMOVED = "removed", _("was removed")
    CAPTAIN = "captain", _("became captain")


class TeamChange(models.Model):
    """A change of a membership, and who made it. ``by`` is the member if the member joined or left, and null if the
    captaincy passed on automatically. If an account is deleted, the row stays without its name.
    """

    team = models.ForeignKey(Team, models.CASCADE, related_name="changes")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="team_changes")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="team_changes_made")
    act = models.CharField(max_length=10, choices=TeamAct.choices)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [models.CheckConstraint(condition=Q(act__in=TeamAct.values), name="team_change_act_known")]

    def __str__(self) -> str:
        return f"{self.team_id} {self.act}"
