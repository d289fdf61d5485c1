"""The tournament: its announced settings, its state, and the kind of contest to which its matches belong."""

from datetime import datetime, timedelta, tzinfo
from typing import Any, ClassVar, Final

from django.conf import settings
from django.db import models
from django.db.models import F, Max, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from contests.audience import WithAudience, audience_constraints
from matches.contest_kinds import ContestKind
from matches.datasets.rows import DatasetLicence
from matches.models import Broadcast
from tournaments.models.luck import Luck
from tournaments.models.stage import Bye, Fixture, Stage
from web.name_keys import Keyed, KeyedManager, KeyField
from web.zones import UTC_NAME, zone_minutes_later, zone_of


class TournamentState(models.TextChoices):
    DRAFT = "draft", _("draft")
    OPEN = "open", _("open for entries")
    LOCKED = "locked", _("entries closed")
    RUNNING = "running", _("running")
    PAUSED = "paused", _("paused")
    FINISHED = "finished", _("finished")
    CANCELLED = "cancelled", _("cancelled")


class Publication(models.TextChoices):
    """Who may see pairings, standings and matches, besides the organiser, arbiters and staff."""

    EVERYONE = "everyone", _("everyone")
    PARTICIPANTS = "participants", _("participants")
    HIDDEN = "hidden", _("nobody yet")


class Admission(models.TextChoices):
    """Who may enter bots, besides the organiser."""

    EVERYONE = "everyone", _("everyone")
    INVITED = "invited", _("anyone with the invitation link")


class KeepApart(models.TextChoices):
    """Which bots do not meet in rounds that are drawn by standings, and are seeded apart in knockouts.

    The organiser may keep other bots apart too.
    """

    NOBODY = "", _("nobody")
    AUTHOR = "author", _("bots of the same author")


class NewVersions(models.TextChoices):
    """When entries are updated to newer versions of their bots."""

    NEVER = "never", _("never")
    BETWEEN_STAGES = "between_stages", _("between stages")
    BETWEEN_ROUNDS = "between_rounds", _("between rounds")


class CancelledBy(models.TextChoices):
    ORGANISER = "organiser", _("the organiser")
    STAFF = "staff", _("staff of this site")


ENTERING = frozenset({TournamentState.DRAFT, TournamentState.OPEN, TournamentState.LOCKED})
PLAYING = frozenset({TournamentState.RUNNING, TournamentState.PAUSED})
COPY_DAYS_MOST: Final = 730  # days between a tournament and its copy
REASON_MOST: Final = 300  # characters
# The sweep starts tournaments every ten seconds. One that has not started so long after its time is overdue.
START_WITHIN: Final = timedelta(minutes=1)


class Tournament(WithAudience, Keyed):
    """A tournament. It has one ``Luck`` for the start, and one for each re-opening."""

    name = models.CharField(_("name"), max_length=80)
    name_key = KeyField(of="name")
    slug = models.SlugField(max_length=90, unique=True)
    description = models.TextField(_("description"), max_length=2000, blank=True)
    organiser = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="tournaments")
    arbiters = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="arbitrates", blank=True)
    ruleset = models.CharField(_("game"), max_length=30)  # "pickomino/1"
    options = models.JSONField(default=dict, blank=True)
    limits = models.JSONField(default=dict, blank=True)
    luck_value = models.CharField(max_length=40, blank=True)  # the value function for analyses: "pickomino/1-v1"
    min_action_ms = models.PositiveIntegerField(
        _("pace"), default=0
    )  # only set in tournaments from before broadcasts existed
    tempo = models.CharField(
        _("broadcast"), max_length=10, choices=Broadcast.choices, default=Broadcast.NONE, blank=True
    )
    tie_breaks = models.JSONField(default=list)
    # The questions to entrants, in order, each as ``RegistrationQuestion.stored``. If the last question was deleted,
    # its number is kept, so that it is not reused.
    registration: Any = models.JSONField(default=list, db_default=[], blank=True, editable=False)
    entrants_most = models.PositiveSmallIntegerField(_("bots at most"), default=100)
    entries_per_author = models.PositiveSmallIntegerField(_("bots per author"), default=1)
    team_size = models.PositiveSmallIntegerField(_("people per team"), null=True, blank=True)  # None: any
    keep_apart = models.CharField(
        _("keep apart"), max_length=10, choices=KeepApart.choices, default=KeepApart.NOBODY, db_default="", blank=True
    )
    new_versions = models.CharField(
        _("new versions of bots"),
        max_length=20,
        choices=NewVersions.choices,
        default=NewVersions.NEVER,
        db_default=NewVersions.NEVER,
    )
    admission = models.CharField(
        _("who may enter"), max_length=12, choices=Admission.choices, default=Admission.EVERYONE
    )
    publication = models.CharField(
        _("who sees pairings and results"), max_length=12, choices=Publication.choices, default=Publication.EVERYONE
    )
    has_round_review = models.BooleanField(_("rounds wait for the organiser"), default=False)
    time_zone = models.CharField(_("time zone"), max_length=40, default=UTC_NAME, db_default=UTC_NAME)
    # When entries of a draft open automatically; without effect afterwards.
    entries_open_at = models.DateTimeField(_("entries open at"), null=True, blank=True)
    entries_close_at = models.DateTimeField(_("entries close at"), null=True, blank=True)
    first_round_at = models.DateTimeField(_("first round at"), null=True, blank=True)
    round_minutes = models.PositiveIntegerField(_("minutes from round to round"), default=0)
    # How many starts the tournament has missed because too few bots had entered, and how many bots there were the last
    # time: see ``tournament_start_miss``.
    starts_missed = models.PositiveSmallIntegerField(default=0, db_default=0, editable=False)
    entries_missed = models.PositiveSmallIntegerField(default=0, db_default=0, editable=False)
    # Whether the sources of the versions that played are released after the end, automatically or by the organiser. If
    # ``sources_at`` is set, they are not released automatically before it. ``releases_sources`` is announced, so only a
    # draft can change it.
    releases_sources = models.BooleanField(_("release sources at the end"), default=False, db_default=False)
    sources_by_hand = models.BooleanField(default=False, db_default=False, editable=False)
    sources_at = models.DateTimeField(null=True, blank=True, editable=False)
    sources_released_at = models.DateTimeField(null=True, blank=True, editable=False)
    # The SPDX identifier of the licence of the data set; "" if no data set is offered.
    dataset_licence = models.CharField(
        max_length=20, choices=DatasetLicence.choices, default="", db_default="", blank=True, editable=False
    )
    state = models.CharField(max_length=10, choices=TournamentState.choices, default=TournamentState.DRAFT)
    # Why the tournament was paused automatically, for the people who run it: see ``matches.queue.stuck_contests``.
    paused_because = models.CharField(max_length=500, default="", db_default="", blank=True, editable=False)
    # When, why and by whom the tournament was cancelled. Earlier releases did not store this.
    cancelled_at = models.DateTimeField(null=True, blank=True, editable=False)
    cancelled_by = models.CharField(
        max_length=10, choices=CancelledBy.choices, default="", db_default="", blank=True, editable=False
    )
    cancelled_reason = models.CharField(max_length=REASON_MOST, default="", db_default="", blank=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    # The tournament of which this one is a copy, and how many days later this one takes place.
    copied_from = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, editable=False, related_name="+")
    copied_days = models.PositiveSmallIntegerField(null=True, blank=True, editable=False)
    revision = models.PositiveBigIntegerField(default=0, editable=False)  # see transitions.tournament_announce_later

    objects: ClassVar[KeyedManager["Tournament"]] = KeyedManager()

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=TournamentState.values), name="tournament_state_known"),
            models.CheckConstraint(
                condition=Q(publication__in=Publication.values), name="tournament_publication_known"
            ),
            *audience_constraints("tournament"),
            models.CheckConstraint(condition=Q(admission__in=Admission.values), name="tournament_admission_known"),
            models.CheckConstraint(condition=Q(keep_apart__in=KeepApart.values), name="tournament_keep_apart_known"),
            models.CheckConstraint(
                condition=Q(new_versions__in=NewVersions.values), name="tournament_new_versions_known"
            ),
            models.CheckConstraint(condition=Q(entries_per_author__gte=1), name="tournament_lets_authors_enter"),
            models.CheckConstraint(
                condition=Q(team_size__isnull=True) | Q(team_size__gte=1), name="tournament_team_size_lets_enter"
            ),
            models.CheckConstraint(
                condition=Q(entrants_most__range=(2, 5000)), name="tournament_entrants_most_bounded"
            ),
            models.UniqueConstraint(
                "copied_from", "copied_days", condition=Q(state="draft"), name="tournament_one_draft_of_a_copy"
            ),
            models.CheckConstraint(condition=~Q(time_zone=""), name="tournament_has_a_time_zone"),
            models.CheckConstraint(condition=Q(starts_missed__lte=2), name="tournament_misses_two_starts_at_most"),
            models.CheckConstraint(
                condition=Q(started_at__isnull=False) | ~Q(state__in=["running", "paused", "finished"]),
                name="tournament_started_has_a_time",
            ),
            models.CheckConstraint(
                condition=Q(state="finished", finished_at__isnull=False)
                | (~Q(state="finished") & Q(finished_at__isnull=True)),
                name="tournament_finished_has_a_time",
            ),
            models.CheckConstraint(
                condition=Q(state="cancelled") | Q(cancelled_at__isnull=True, cancelled_by="", cancelled_reason=""),
                name="tournament_cancelled_alone_says_so",
            ),
            models.CheckConstraint(
                condition=Q(cancelled_by__in=["", *CancelledBy.values]), name="tournament_cancelled_by_known"
            ),
            models.CheckConstraint(
                condition=Q(dataset_licence__in=["", *DatasetLicence.values]), name="tournament_dataset_licence_known"
            ),
            models.CheckConstraint(
                condition=Q(releases_sources=True) | Q(sources_released_at__isnull=True),
                name="tournament_released_sources_were_announced",
            ),
            models.CheckConstraint(
                condition=Q(sources_by_hand=False) | Q(sources_at__isnull=True),
                name="tournament_sources_by_hand_have_no_time",
            ),
        ]
        indexes = [models.Index(F("created_at"), name="tournament_running", condition=Q(state="running"))]

    def __str__(self) -> str:
        return self.name

    @property
    def game(self) -> str:
        """The ruleset's name without its version, e.g. "pickomino"."""
        return self.ruleset.partition("/")[0]

    @property
    def is_stuck(self) -> bool:
        """Whether the tournament was paused automatically because the code of its game fails."""
        return self.state == TournamentState.PAUSED and self.paused_because != ""

    @property
    def stage(self) -> Stage:
        """The stage that began last, or the first stage if none has begun."""
        stages = list(self.stages.all())
        return next((stage for stage in reversed(stages) if stage.started_at), stages[0])

    @property
    def stage_to_show(self) -> Stage:
        """The stage to show first: the stage that began last, but not a play-off once the tournament is over."""
        begun = [stage for stage in self.stages.all() if stage.started_at]
        whole = [stage for stage in begun if not (self.is_over and stage.kind.is_play_off)]
        return whole[-1] if whole else self.stage

    @property
    def fixtures(self) -> QuerySet[Fixture]:
        """The tables of all rounds, in order."""
        return Fixture.objects.filter(round__tournament=self)

    @property
    def next_round(self) -> int:
        """The number of the next round to draw. It may exceed the count of rounds, because rulings delete rounds."""
        last: int | None = self.rounds.aggregate(last=Max("number"))["last"]
        return (last or 0) + 1

    @property
    def byes(self) -> QuerySet[Bye]:
        """The byes of all rounds, in order."""
        return Bye.objects.filter(round__tournament=self)

    @property
    def zone(self) -> tzinfo:
        """The time zone of the tournament's times."""
        return zone_of(self.time_zone)

    def minutes_later(self, when: datetime, minutes: int) -> datetime:
        """Return the time ``minutes`` after ``when``. Whole days keep the local hour: see ``web.zones``."""
        return zone_minutes_later(when, minutes, self.zone)

    def round_starts_at(self, number: int) -> datetime | None:
        """Return the time before which a round does not begin; None if the round does not wait for a time."""
        first = self.first_round_at or self.started_at
        if first is None or (self.round_minutes == 0 and (number > 1 or self.first_round_at is None)):
            return None
        try:
            return self.minutes_later(first, self.round_minutes * (number - 1))
        except OverflowError:  # an earlier release accepted times near the maximum of ``datetime``
            return first

    @property
    def is_due(self) -> bool:
        """Whether the tournament is due to start automatically.

        It is not due after it has missed two starts, or while entries are open until a later deadline.
        """
        if self.state not in (TournamentState.OPEN, TournamentState.LOCKED) or self.starts_missed > 1:
            return False
        now, closes = timezone.now(), self.entries_close_at
        waits = self.state == TournamentState.OPEN and closes is not None and closes > now
        return self.first_round_at is not None and self.first_round_at <= now and not waits

    @property
    def is_overdue(self) -> bool:
        """Whether the start time has passed, and the tournament has neither started nor been postponed."""
        if self.state not in ENTERING or self.first_round_at is None:
            return False
        return self.first_round_at < timezone.now() - START_WITHIN

    @property
    def is_postponed(self) -> bool:
        """Whether the tournament was postponed because too few bots had entered at its start time."""
        return self.starts_missed == 1

    @property
    def takes_entries(self) -> bool:
        """Whether bots can enter now.

        They can while entries are open, until the deadline. If rounds of the first stage are drawn by standings, late
        entries are possible while at most half of its rounds are drawn.
        """
        if self.state == TournamentState.OPEN:
            return self.entries_close_at is None or timezone.now() < self.entries_close_at
        stage = self.stage
        return self.state in PLAYING and stage.number == 1 and stage.kind.draws_by_standings and stage.is_young

    @property
    def is_of_ladder(self) -> bool:
        """Whether the tournament is a cup of the best bots of a league's ladder."""
        return hasattr(self, "ladder_cup")

    @property
    def ceremony_or_none(self) -> Any:
        """The tournament's ceremony, if one was announced or has begun; else None."""
        return getattr(self, "ceremony", None)

    @property
    def is_everyones(self) -> bool:
        """Whether everyone with the address may see pairings and results.

        Then all readers who do not take part see the same, and their pages can be cached.
        """
        announced = self.publication == Publication.EVERYONE and self.state != TournamentState.DRAFT
        return announced and self.is_open

    @property
    def is_by_invitation(self) -> bool:
        return self.admission == Admission.INVITED

    @property
    def lets_withdraw(self) -> bool:
        """Whether bots can be withdrawn now.

        They can before the start. Later, they can if the rounds of the current stage are drawn one by one.
        """
        return self.state in (TournamentState.OPEN, TournamentState.LOCKED) or (
            self.state in PLAYING and self.stage.kind.draws_one_by_one
        )

    @property
    def breaks_ties(self) -> bool:
        """Whether tie-breaks are used, because a stage has standings by points. In a knockout, the bracket decides."""
        return not all(stage.kind.has_bracket for stage in self.stages.all())

    @property
    def has_chain(self) -> bool:
        """Whether the tournament has a chain. Tournaments from before chains existed have none."""
        return self.chain.exists()

    @property
    def is_over(self) -> bool:
        """Whether it is finished or cancelled."""
        return self.state in (TournamentState.FINISHED, TournamentState.CANCELLED)

    @property
    def luck(self) -> Luck:
        """The luck that was committed last. Rounds and matches are drawn from it now."""
        return list(self.lucks.all())[-1]

    @property
    def commitment(self) -> str:
        """The SHA-256 of the first secret, in hexadecimal. It is public as soon as entries open; the secret is not."""
        return self.lucks.all()[0].commitment


TOURNAMENT: Final = ContestKind("tournament", finished_task="tournaments.match_finished")
