"""The organiser's plans: invitations, bots that are kept apart, times of rounds, the ceremony that reveals the ranks
from the last place up, and templates for tournaments.
"""

from datetime import timedelta
from typing import Any, ClassVar, Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from groups.models import Group
from matches.models import Broadcast
from tournaments.models.entry import Entry
from tournaments.models.tournament import Tournament
from web.name_keys import Keyed, KeyedManager, KeyField


class Invitation(models.Model):
    """The last invitation link of a tournament.

    Only the ``digest`` of its token is stored, the SHA-256 in hexadecimal; it is "" once the link is withdrawn.
    ``number`` increases with each new link and each withdrawal, so that a request to change the link can name the
    state that it is based on.
    """

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="invitation")
    number = models.PositiveIntegerField(default=0)
    digest = models.CharField(max_length=64, blank=True)
    made_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint("digest", condition=~Q(digest=""), name="invitation_digest_unique"),
            models.CheckConstraint(
                condition=Q(digest="") | Q(made_at__isnull=False, number__gte=1), name="invitation_that_holds_was_made"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament}, link {self.number}"


class ForbiddenPair(models.Model):
    """Two entries that rounds drawn by standings keep apart. ``one`` has the lower primary key."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="forbidden_pairs")
    one = models.ForeignKey(Entry, models.CASCADE, related_name="+")
    other = models.ForeignKey(Entry, models.CASCADE, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint("one", "other", name="forbidden_pair_once"),
            models.CheckConstraint(condition=Q(one__lt=F("other")), name="forbidden_pair_in_order"),
        ]


class KeptGroup(models.Model):
    """Entries that should not meet each other in rounds drawn by standings: those of one author, or a group that the
    organiser chose.

    Knockouts seed the entries of one author apart. In late rounds, points have priority: see
    ``formats.swiss.format.is_late_swiss_round``.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="kept_groups")
    is_of_author = models.BooleanField(default=False)
    entries = models.ManyToManyField(Entry, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.tournament}, group {self.pk}"


FINAL: Final = 0  # stands for the final of a knockout, whose place is not known in advance


class RoundPlan(models.Model):
    """The plan of the round at ``place`` of the stage with the number ``stage``. It applies until the round begins.

    ``starts_at`` replaces the time in the calendar of the tournament. ``premieres_at`` is the time from which its
    matches are shown, at ``tempo``.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="plans")
    stage = models.PositiveSmallIntegerField()
    place = models.PositiveIntegerField()
    starts_at = models.DateTimeField(null=True, blank=True)
    premieres_at = models.DateTimeField(null=True, blank=True)
    tempo = models.CharField(max_length=10, choices=Broadcast.choices, default=Broadcast.NONE, blank=True)

    class Meta:
        ordering = ["stage", "place"]
        constraints = [
            models.UniqueConstraint("tournament", "stage", "place", name="one_plan_for_each_round"),
            models.CheckConstraint(condition=Q(tempo__in=Broadcast.values), name="round_plan_tempo_known"),
            models.CheckConstraint(
                condition=Q(premieres_at__isnull=True, tempo="") | (Q(premieres_at__isnull=False) & ~Q(tempo="")),
                name="round_plan_premiere_has_a_tempo",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament}, stage {self.stage}, round {self.place or 'final'}"

    @property
    def is_final(self) -> bool:
        return self.place == FINAL


PACE_MOST: Final = 120  # seconds
PODIUM_PLACES: Final = 3
PODIUM_SLOWER: Final = 2  # factor on the pace before each place of the podium
IDLE_MOST: Final = timedelta(hours=1)  # the results are published if nobody reveals a rank for so long


class Ceremony(models.Model):
    """The ceremony of a tournament, and the part of the ranking that it has revealed.

    ``revealed`` has everything that pages show, stored when a rank is revealed: groups of bots that share a rank, the
    last places first (see ``services.ceremonies``). ``left`` is the number of bots that are not revealed, None before
    the start. ``pace`` is the number of seconds from one rank to the next; with 0 the organiser reveals each rank.
    ``due_at`` is when the next rank is revealed automatically, or with pace 0 when an abandoned ceremony ends.
    """

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="ceremony")
    planned_at = models.DateTimeField(null=True, blank=True)
    pace = models.PositiveSmallIntegerField(default=0)
    started_at = models.DateTimeField(null=True, blank=True)
    left = models.PositiveIntegerField(null=True, blank=True)
    revealed: Any = models.JSONField(default=list, blank=True)
    due_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "ceremonies"
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(pace__lte=PACE_MOST), name="ceremony_pace_bounded"),
            models.CheckConstraint(
                condition=Q(started_at__isnull=True, left__isnull=True, ended_at__isnull=True)
                | Q(started_at__isnull=False, left__isnull=False),
                name="ceremony_started_has_places_left",
            ),
            models.CheckConstraint(
                condition=Q(due_at__isnull=False, started_at__isnull=False, ended_at__isnull=True)
                | (Q(due_at__isnull=True) & (Q(started_at__isnull=True) | Q(ended_at__isnull=False))),
                name="ceremony_is_due_while_it_goes_on",
            ),
        ]

    def __str__(self) -> str:
        return f"ceremony of {self.tournament}"

    @property
    def is_on(self) -> bool:
        """Whether it has started and not ended."""
        return self.started_at is not None and self.ended_at is None


class TournamentTemplate(Keyed):
    """A template for new tournaments, for its ``organiser`` or for the organisers of a ``group``.

    ``fields`` are those of the organiser's form, ``registration`` the questions as a tournament stores them, and
    ``plans`` the plans of rounds as in ``RoundPlan``. Times are texts without a zone, in the time zone of the
    tournament from which the template was saved. They are moved when a tournament is created from the template.
    """

    name = models.CharField(max_length=80)
    name_key = KeyField(of="name")
    organiser = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="tournament_templates"
    )
    group = models.ForeignKey(Group, models.CASCADE, null=True, blank=True, related_name="tournament_templates")
    fields: Any = models.JSONField(default=dict)
    registration: Any = models.JSONField(default=list, blank=True)
    plans: Any = models.JSONField(default=list, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[KeyedManager["TournamentTemplate"]] = KeyedManager()

    class Meta:
        ordering = ["name_key", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(organiser__isnull=False, group__isnull=True)
                | Q(organiser__isnull=True, group__isnull=False),
                name="template_of_a_person_or_a_group",
            ),
            models.CheckConstraint(condition=~Q(name=""), name="template_has_a_name"),
            models.UniqueConstraint("organiser", "name_key", name="template_name_once_for_a_person"),
            models.UniqueConstraint("group", "name_key", name="template_name_once_in_a_group"),
        ]

    def __str__(self) -> str:
        return self.name
