"""Models of series: several tournaments of one organiser and one game, with one table."""

from typing import Any, ClassVar, Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from contests.audience import WithAudience, audience_constraints
from tournaments.models import Tournament
from web.name_keys import Keyed, KeyedManager, KeyField

EVENTS_MOST: Final = 60  # tournaments in a series, enough for one a week during a year
PLACES_MOST: Final = 50  # places with points of their own
POINTS_MOST: Final = 1000
USUAL_POINTS: Final = (25, 18, 15, 12, 10, 8, 6, 4, 2, 1)


class SeriesScoring(models.TextChoices):
    """How the points of an event are computed."""

    PLACES = "places", _("Points for places")
    SHARE = "share", _("Share of opponents beaten")


class TournamentSeries(WithAudience, Keyed):
    """A series.

    ``place_points`` has the points for the first places, in order; the places after these get none. ``best`` is the
    number of events that count for an entrant; 0 means all. ``revision`` is incremented when something changes on which
    the table depends. ``ended_at`` is set when the table becomes final.
    """

    name = models.CharField(_("name"), max_length=80)
    name_key = KeyField(of="name")
    slug = models.SlugField(max_length=90, unique=True)
    description = models.TextField(_("description"), max_length=2000, blank=True)
    organiser = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="tournament_series")
    game = models.CharField(_("game"), max_length=30)  # "pickomino"
    scoring = models.CharField(_("points"), max_length=10, choices=SeriesScoring.choices, default=SeriesScoring.PLACES)
    place_points: Any = models.JSONField(_("points of the places"), default=list, blank=True)
    best = models.PositiveSmallIntegerField(_("events that count"), default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True, editable=False)
    revision = models.PositiveBigIntegerField(default=0, editable=False)

    objects: ClassVar[KeyedManager["TournamentSeries"]] = KeyedManager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        verbose_name = _("series")
        verbose_name_plural = _("series")
        constraints = [
            *audience_constraints("series"),
            models.CheckConstraint(condition=Q(scoring__in=SeriesScoring.values), name="series_scoring_known"),
            models.CheckConstraint(condition=Q(best__lte=EVENTS_MOST), name="series_best_bounded"),
            models.CheckConstraint(condition=~Q(game=""), name="series_has_a_game"),
        ]

    def __str__(self) -> str:
        return self.name


class SeriesEvent(models.Model):
    """A tournament in a series. No tournament is in two series, so that no result counts twice."""

    series = models.ForeignKey(TournamentSeries, models.CASCADE, related_name="events")
    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="series_event")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.tournament} in {self.series}"
