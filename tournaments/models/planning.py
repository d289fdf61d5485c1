"""The organiser's plans: invitations, bots that are kept apart, times of rounds, ceremonies, and templates.

A ceremony reveals the ranks from the last place up.
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

    The token of the link is not stored, only its ``digest``: the SHA-256 in hexadecimal, or "" once the link is
    withdrawn. ``number`` increases with each new link and each withdrawal. A request to change the link sends the
    number that it has read. If the number is outdated, the request is refused.
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
    """Entries that should not meet each other in rounds that are drawn by standings.

    They are the entries of one author, or a group that the organiser chose. In late rounds, points have priority: see
    ``formats.swiss.format.is_late_swiss_round``. Knockouts seed the entries of one author apart.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="kept_groups")
    is_of_author = models.BooleanField(default=False)
    entries = models.ManyToManyField(Entry, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.tournament}, group {self.pk}"


FINAL: Final = 0  # the ``place`` of a knockout's final, because the number of its round is not known in advance


class RoundPlan(models.Model):
    """The plan of a round. It applies until the round begins.

    ``stage`` is the number of a stage, and ``place`` the number of a round within this stage. ``starts_at`` replaces
    the time in the calendar of the tournament. ``premieres_at`` is the time from which the matches of the round are
    shown, at the tempo ``tempo``.
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
PODIUM_SLOWER: Final = 2  # the pace is multiplied by this before each place of the podium
IDLE_MOST: Final = timedelta(hours=1)  # if nobody reveals a rank for so long, the results are published


class Ceremony(models.Model):
    """The ceremony of a tournament, and the part of the ranking that it has revealed.

    ``revealed`` has everything that pages show of the revealed ranks: groups of bots that share a rank, the last places
    first (see ``services.ceremonies``). A group is added when its rank is revealed. ``left`` is the number of bots that
    are not revealed yet; None before the start.

    ``pace`` is the number of seconds from one rank to the next. ``due_at`` is when the next rank is revealed
    automatically. If ``pace`` is 0, the organiser reveals each rank, and ``due_at`` is when the ceremony ends if nobody
    reveals a rank before.
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
        """Whether the ceremony has started and not ended."""
        return self.started_at is not None and self.ended_at is None


class TournamentTemplate(Keyed):
    """A template for new tournaments, for its ``organiser`` or for the organisers of a ``group``.

    ``fields`` has the values of fields in the organiser's form. ``registration`` has the questions to entrants, as in
    ``Tournament.registration``. ``plans`` has the plans of rounds, as in ``RoundPlan``. Times are texts without a zone.
    They are local times of the tournament from which the template was saved, and are moved when a tournament is created
    from the template.
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
