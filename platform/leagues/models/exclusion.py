"""The public log of who was taken out of a league, and let in again."""

from typing import Final

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from leagues.models.season_entry import Membership

REASON_MOST: Final = 300  # letters


class ExclusionAct(models.TextChoices):
    OUT = "out", _("taken out")
    IN = "in", _("let in again")


class ExclusionBy(models.TextChoices):
    ORGANISER = "organiser", _("the organiser")
    STAFF = "staff", _("staff")


class Exclusion(models.Model):
    """An act of the organiser or of staff, for everybody to read. The last one of a membership holds: a bot that was
    taken out stays so until it is let in again."""

    membership = models.ForeignKey(Membership, models.CASCADE, related_name="exclusions")
    act = models.CharField(max_length=3, choices=ExclusionAct.choices)
    by = models.CharField(max_length=10, choices=ExclusionBy.choices)
    reason = models.CharField(_("reason"), max_length=REASON_MOST, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(act__in=ExclusionAct.values), name="exclusion_act_known"),
            models.CheckConstraint(condition=Q(by__in=ExclusionBy.values), name="exclusion_by_known"),
            models.CheckConstraint(condition=~Q(act="out") | ~Q(reason=""), name="exclusion_out_has_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.membership_id} {self.act}"
