"""A tournament of the best bots of a league's ladder."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from leagues.models import Season
from tournaments.models.tournament import Tournament


class PassedOver(models.TextChoices):
    """Why a bot of a ladder is not entered in its cup."""

    BENCHED = "benched", _("benched: it forfeits too many matches")
    LEFT = "left", _("no longer in the league")
    NO_VERSION = "no_version", _("no accepted version")
    NOT_AGREED = "not_agreed", _("its author does not let organisers enter it")
    TIED = "tied", _("shares the rank of the last one in, with a lower rating")
    REFUSED = "refused", _("left or changed while the cup was made")


class LadderCup(models.Model):
    """Of a tournament: the season whose ``best`` bots were entered, in the order of its ladder. ``passed_over``: who
    was not, as lists of a bot's primary key, its place on the ladder from 1, and a reason of ``PassedOver``."""

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="ladder_cup")
    season = models.ForeignKey(Season, models.PROTECT, related_name="cups")
    best = models.PositiveSmallIntegerField()
    passed_over = models.JSONField(default=list)

    class Meta:
        ordering = ["-pk"]
        constraints = [models.CheckConstraint(condition=Q(best__gte=2), name="ladder_cup_of_two_at_least")]

    def __str__(self) -> str:
        return f"{self.tournament}, the best {self.best} of {self.season}"
