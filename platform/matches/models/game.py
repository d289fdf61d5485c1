"""Models of games: the log of a running game, finished games, faults of bots, and analyses."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from matches.models.match import Match, Seat


class MatchLog(models.Model):
    """The moves so far of a game in a running attempt. Late and reconnecting viewers read them.

    The log is deleted when the result of the attempt is written. From then on, viewers read the records of games.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="logs")
    attempt = models.PositiveIntegerField()
    game = models.PositiveIntegerField()
    seed = models.BinaryField(max_length=32)
    actions = models.TextField(default="", blank=True)  # one per line
    interventions = models.JSONField(default=list, blank=True)  # [[number of earlier actions, table position, cause]]

    class Meta:
        ordering = ["attempt", "game"]
        constraints = [models.UniqueConstraint("match", "attempt", "game", name="log_once_per_attempt_and_game")]


class Game(models.Model):
    """A finished game. Game ``index`` of a match of k seats belongs to block ``index // k``, rotation ``index % k``.

    In this rotation, match seat ``(p + rotation) % k`` sits at table position p. ``points`` and ``places`` are by match
    seat. A seat at fault shares the last place, whatever its stand-in reached. So ``places`` may differ from the
    outcome in the record.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="games")
    attempt = models.PositiveIntegerField()
    index = models.PositiveIntegerField()
    record = models.BinaryField()
    points = models.JSONField()
    places = models.JSONField()
    reason = models.CharField(max_length=40)
    tie_break = models.CharField(max_length=40, blank=True)
    air_ms = models.PositiveIntegerField(null=True, blank=True)  # duration of its broadcast, if it has one

    class Meta:
        ordering = ["index"]
        constraints = [models.UniqueConstraint("match", "index", name="game_index_unique_per_match")]


class Fault(models.Model):
    """A bot's fault in a game, for its author only. Times are in seconds.

    ``view`` is null if the bot failed to start, or was not started because it had forfeited the match. If ``is_kept``
    is False, the details were deleted: only the verdict and the times remain, see ``matches.retention``.
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="faults")
    seat = models.ForeignKey(Seat, models.CASCADE, related_name="faults")
    verdict = models.CharField(max_length=20)
    action_index = models.PositiveIntegerField()  # number of earlier player actions
    exception = models.CharField(max_length=200, blank=True)
    detail = models.TextField(blank=True)
    line = models.PositiveIntegerField(null=True, blank=True)
    view = models.JSONField(null=True, blank=True)
    answer = models.CharField(max_length=300, blank=True)
    output = models.TextField(blank=True)
    cpu = models.FloatField(default=0)
    wall = models.FloatField(default=0)
    limit = models.FloatField(null=True, blank=True)
    is_kept = models.BooleanField(default=True)

    class Meta:
        constraints = [models.UniqueConstraint("game", "seat", name="fault_once_per_seat_and_game")]
        indexes = [models.Index("seat", name="fault_kept_by_seat", condition=Q(is_kept=True))]


class Analysis(models.Model):
    """The luck in a game and the cost of its decisions (see ``luck``), by the value function with the id ``value``.

    ``told`` is the analysis as compressed JSON; it is null until a worker has made the analysis. ``sums`` are by table
    position, in 1e-9 shares; they are null while the analysis is pending, and if the game cannot be analysed.
    ``digest`` is the digest of the record, or "" while pending: equal records are analysed only once. ``claimed_at`` is
    when a request or a worker last handled the analysis. If ``is_ordered`` is True, the platform requested it, not a
    user. If ``is_kept`` is False, ``told`` was deleted and ``sums`` remain; a new request computes the analysis again.
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="analyses")
    value = models.CharField(max_length=40)
    digest = models.CharField(max_length=32, blank=True)  # hexadecimal
    requested_at = models.DateTimeField(default=timezone.now)
    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    is_ordered = models.BooleanField(default=False)
    claimed_at = models.DateTimeField()
    told = models.BinaryField(null=True)
    is_kept = models.BooleanField(default=True)
    sums = models.JSONField(null=True, blank=True)  # "luck", "moments", "lost", "decisions", "kinds", "worst"

    class Meta:
        verbose_name_plural = "analyses"
        constraints = [
            models.UniqueConstraint("game", "value", name="analysis_once_per_game_and_value"),
            models.CheckConstraint(condition=Q(sums__isnull=True) | ~Q(digest=""), name="analysis_sums_of_a_record"),
            models.CheckConstraint(
                condition=Q(is_kept=True) | Q(told__isnull=True, sums__isnull=False), name="analysis_dropped_has_sums"
            ),
            models.CheckConstraint(condition=Q(told__isnull=True) | ~Q(digest=""), name="analysis_told_of_a_record"),
        ]
        indexes = [
            models.Index("requested_by", "requested_at", name="analysis_asked_lately"),
            models.Index("digest", "value", name="analysis_by_record"),
            models.Index("claimed_at", name="analysis_to_be_made", condition=Q(told__isnull=True, is_kept=True)),
            models.Index("claimed_at", name="analysis_to_be_dropped", condition=Q(told__isnull=False)),
        ]
