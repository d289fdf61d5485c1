"""The models of assignments: references, hand-ins, extensions, practice, markings and marks."""

from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from bots.models import Bot, BotVersion
from contests.models import Committed
from games.dealer import block_seed
from groups.models import Group
from matches.contest_kinds import ContestKey, ContestKind

TITLE_MOST: Final = 80  # characters, like TEXT_MOST and REASON_MOST
TEXT_MOST: Final = 4000
TEAM_MOST: Final = 10  # people who hand in one bot together
REASON_MOST: Final = 300
LATE_DAYS_MOST: Final = 14
GRACE_MOST: Final = 24 * 60  # minutes
POINTS_MOST: Final = 100
DAY: Final = timedelta(days=1)  # exactly 24 hours, even if clocks change in between

ASSIGNMENT: Final = ContestKind("assignment", "assignments.match_finished", is_quiet=True)


class Assignment(Committed):
    """A task for the members of a group: write a bot for ``game`` that beats reference versions.

    A student's last accepted version that was uploaded before the due time is marked. If there is none, a version
    counts that was uploaded in the ``late_days`` days of 24 hours after the due time. Its mark is reduced by
    ``late_penalty`` percent for each late day. Uploads within ``grace_minutes`` after the due time count as on time. If
    ``team_size`` is more than 1, a team of at most that size may hand in one bot, and every member gets its mark.

    The seeds of markings are derived from ``secret``, which is public from ``revealed_at`` on. The seeds of practice
    matches are derived from the commitment to that secret, which everybody in the group may know. ``reminded_at`` is
    when students without a hand-in were reminded. ``zone`` is the time zone of the form.
    """

    group = models.ForeignKey(Group, models.PROTECT, related_name="assignments", verbose_name=_("group"))
    organiser = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="assignments", verbose_name=_("organiser")
    )
    title = models.CharField(_("title"), max_length=TITLE_MOST)
    text = models.TextField(_("text"), max_length=TEXT_MOST, blank=True)
    game = models.CharField(_("game"), max_length=20)
    ruleset = models.CharField(max_length=30)
    zone = models.CharField(max_length=60, default="UTC")
    opens_at = models.DateTimeField(_("opens"))
    due_at = models.DateTimeField(_("due"))
    grace_minutes = models.PositiveSmallIntegerField(default=0)
    late_days = models.PositiveSmallIntegerField(default=0)
    late_penalty = models.PositiveSmallIntegerField(default=0)
    attempts_a_day = models.PositiveSmallIntegerField(default=5)
    team_size = models.PositiveSmallIntegerField(default=1, db_default=1)
    practice_blocks = models.PositiveSmallIntegerField(default=20)
    blocks_most = models.PositiveSmallIntegerField(default=200)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    revealed_at = models.DateTimeField(null=True, blank=True)
    reminded_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["due_at", "pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(title=""), name="assignment_has_a_title"),
            models.CheckConstraint(condition=Q(due_at__gt=F("opens_at")), name="assignment_opens_before_it_is_due"),
            models.CheckConstraint(condition=Q(late_penalty__lte=100), name="assignment_penalty_is_percent"),
            models.CheckConstraint(condition=Q(late_days__lte=LATE_DAYS_MOST), name="assignment_late_days_bounded"),
            models.CheckConstraint(
                condition=Q(attempts_a_day__gte=1, practice_blocks__gte=1, blocks_most__gte=1),
                name="assignment_plays_something",
            ),
            models.CheckConstraint(
                condition=Q(team_size__gte=1, team_size__lte=TEAM_MOST), name="assignment_team_size_bounded"
            ),
        ]
        indexes = [models.Index("opens_at", name="assignment_going_on", condition=Q(revealed_at__isnull=True))]

    def __str__(self) -> str:
        return self.title

    @property
    def contest(self) -> ContestKey:
        """The contest of its matches."""
        return ASSIGNMENT.numbered(self.pk)

    @property
    def revealed(self) -> str:
        """The secret in hexadecimal after all marks are published; "" before."""
        return "" if self.revealed_at is None else bytes(self.secret).hex()

    def practice_secret(self, reference_id: int) -> bytes:
        """Return the secret of practice matches against a reference. Everybody who knows the commitment can compute
        it."""
        return block_seed(bytes.fromhex(self.commitment), "practice", reference_id)

    def marking_secret(self, student_id: int, number: int, reference_id: int) -> bytes:
        """Return the secret of the match against a reference in the student's marking ``number``."""
        return block_seed(bytes(self.secret), "marking", student_id, number, reference_id)


class AssignmentReference(models.Model):
    """A reference version. A bot that takes more than ``threshold`` percent of the score gets ``points``."""

    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="references")
    version = models.ForeignKey(BotVersion, models.PROTECT, related_name="+")
    threshold = models.PositiveSmallIntegerField(_("threshold"))
    points = models.PositiveSmallIntegerField(_("points"), default=1)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint("assignment", "version", name="assignment_reference_once"),
            models.CheckConstraint(
                condition=Q(threshold__gte=5, threshold__lte=95), name="reference_threshold_bounded"
            ),
            models.CheckConstraint(condition=Q(points__lte=POINTS_MOST), name="reference_points_bounded"),
        ]

    def __str__(self) -> str:
        return str(self.version)


class HandIn(models.Model):
    """A bot that was handed in. Another bot may replace it until it is marked. As in the other models, ``student`` is
    the account that owns the bot: a student's or a team's. ``HandInPerson`` lists who gets the mark.
    """

    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="hand_ins")
    student = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="hand_ins")
    bot = models.ForeignKey(Bot, models.CASCADE, related_name="hand_ins")
    handed_in_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint("assignment", "student", name="one_bot_handed_in_per_student")]


class HandInPerson(models.Model):
    """A person who gets the mark for what ``account`` hands in: each member of a team, or the student alone."""

    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="people")
    account = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint("assignment", "person", name="person_hands_in_once_per_assignment")]


class DueExtension(models.Model):
    """A later due time for a student, and for the team with which the student hands in. The newest row counts."""

    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="extensions")
    student = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="due_extensions")
    due_at = models.DateTimeField(_("due"))
    reason = models.CharField(_("reason"), max_length=REASON_MOST)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    reminded_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.CheckConstraint(condition=~Q(reason=""), name="due_extension_has_a_reason")]


class PracticeRun(models.Model):
    """A match of a version against a reference before the due time. Its seeds are public. The student and the group's
    staff may see it.
    """

    reference = models.ForeignKey(AssignmentReference, models.CASCADE, related_name="practice_runs")
    student = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    version = models.ForeignKey(BotVersion, models.CASCADE, related_name="+")
    match = models.OneToOneField("matches.Match", models.PROTECT, related_name="practice_run")
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint("reference", "student", "version", name="practice_once_per_version_and_reference")
        ]


class Marking(models.Model):
    """A marking of a student's version. Each student has one marking, and one more each time that staff order another.
    The marking with the highest ``number`` counts. Before ``published_at``, only staff may see it.
    """

    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="markings")
    student = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="markings")
    number = models.PositiveSmallIntegerField(default=1)
    version = models.ForeignKey(BotVersion, models.PROTECT, related_name="+")
    days_late = models.PositiveSmallIntegerField(default=0)
    reason = models.CharField(max_length=REASON_MOST, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    published_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint("assignment", "student", "number", name="marking_number_once_per_student"),
            models.CheckConstraint(
                condition=Q(number=1) | Q(number__gt=1) & ~Q(reason=""), name="marking_again_has_why"
            ),
        ]


class MarkRuling(models.TextChoices):
    """A decision by staff about a mark that the games left undecided."""

    NONE = "", _("open")
    MET = "met", _("met")
    MISSED = "missed", _("missed")


class ReferenceMark(models.Model):
    """The mark against one reference. The result of ``match`` decides the outcome, see ``selectors``. If the match was
    not finished or its result is not clear, ``ruling`` decides.
    """

    marking = models.ForeignKey(Marking, models.CASCADE, related_name="marks")
    reference = models.ForeignKey(AssignmentReference, models.CASCADE, related_name="marks")
    match = models.OneToOneField("matches.Match", models.PROTECT, null=True, related_name="reference_mark")
    ruling = models.CharField(max_length=10, choices=MarkRuling.choices, default=MarkRuling.NONE, blank=True)
    ruling_reason = models.CharField(max_length=REASON_MOST, blank=True)
    ruled_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    ruled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["reference"]
        constraints = [
            models.UniqueConstraint("marking", "reference", name="one_mark_per_marking_and_reference"),
            models.CheckConstraint(condition=Q(ruling__in=MarkRuling.values), name="mark_ruling_known"),
            models.CheckConstraint(
                condition=Q(ruling="", ruled_at__isnull=True)
                | ~Q(ruling="") & ~Q(ruling_reason="") & Q(ruled_at__isnull=False),
                name="mark_ruling_has_a_reason",
            ),
        ]
