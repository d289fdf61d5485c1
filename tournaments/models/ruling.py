"""The log of rulings: what the organiser or an arbiter decided, for all to read. Lines are added, never changed."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.entry import Entry
from tournaments.models.tournament import Tournament


class RulingKind(models.TextChoices):
    """See ``standings.Kind``."""

    VOID = "void", _("match void")
    REPLAY = "replay", _("match replayed")
    REPLACE = "replace", _("result replaced")
    DISQUALIFY = "disqualify", _("bot disqualified")
    REINSTATE = "reinstate", _("ruling taken back")
    WITHDRAW = "withdraw", _("bot withdrawn")
    REOPEN = "reopen", _("tournament re-opened")
    NOTE = "note", _("note")


class Ruling(models.Model):
    """``data`` holds what belongs to the kind: the "round" and "table" of the match; of a replay the "new" match; of a
    replacement the "scores" by entry; of a disqualification whether to "annul", and whether the bot "had_left" before;
    where a bot is taken back, whether it was "disqualified" and whether it plays "again". ``basis``: a digest of what
    is ruled and of the state it was ruled on; on each state at most one is made, so a form sent twice rules once."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="rulings")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=12, choices=RulingKind.choices)
    match = models.ForeignKey("matches.Match", models.PROTECT, null=True, blank=True, related_name="rulings")
    entry = models.ForeignKey(Entry, models.CASCADE, null=True, blank=True, related_name="rulings")
    data = models.JSONField(default=dict, blank=True)
    reason = models.TextField(_("reason"), max_length=1000)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="rulings")
    basis = models.CharField(max_length=64)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint("tournament", "number", name="ruling_number_unique_per_tournament"),
            models.UniqueConstraint("tournament", "basis", name="one_ruling_on_each_state"),
            models.CheckConstraint(condition=Q(kind__in=RulingKind.values), name="ruling_kind_known"),
            models.CheckConstraint(condition=~Q(reason=""), name="ruling_has_a_reason"),
            models.CheckConstraint(
                condition=~Q(kind__in=["void", "replay", "replace"]) | Q(match__isnull=False, entry__isnull=True),
                name="ruling_about_a_match_names_it",
            ),
            models.CheckConstraint(
                condition=~Q(kind__in=["disqualify", "withdraw"]) | Q(entry__isnull=False, match__isnull=True),
                name="ruling_about_a_bot_names_it",
            ),
            models.CheckConstraint(
                condition=~Q(kind="reinstate")
                | Q(match__isnull=False, entry__isnull=True)
                | Q(match__isnull=True, entry__isnull=False),
                name="ruling_taken_back_names_one",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament}, ruling {self.number}"


class Displaced(models.Model):
    """A match that lost its place to a ruling: it was the ``attempt``th of that table, with seeds of the ``luck`` of
    that number, and counts for nobody."""

    ruling = models.ForeignKey(Ruling, models.CASCADE, related_name="displaced")
    match = models.OneToOneField("matches.Match", models.PROTECT, related_name="displaced")
    round = models.PositiveIntegerField()
    table = models.PositiveIntegerField()
    attempt = models.PositiveSmallIntegerField()
    luck = models.PositiveSmallIntegerField(default=1)

    class Meta:
        ordering = ["round", "table", "attempt"]
        verbose_name_plural = "displaced"
        constraints = [models.CheckConstraint(condition=Q(attempt__gte=1), name="displaced_was_an_attempt")]
