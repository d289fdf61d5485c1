"""What matches leave for the authors of their bots alone."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone


class SeatLog(models.Model):
    """What the bot of a seat printed, and how long its actions took, in ``games`` games of a match from ``first_game``
    on: for the bot's author. Dropped after a while, see ``matches.retention``.

    ``content`` is packed by ``matches.queue.seat_logs``; ``printed`` the bytes that the text in it counts for, ``size``
    those of the whole.
    ``times``: how many actions took so long, by the buckets of ``matches.referee.game_result``.
    """

    seat = models.ForeignKey("Seat", models.CASCADE, db_index=False, related_name="logs")
    bot = models.ForeignKey("bots.Bot", models.CASCADE, db_index=False, related_name="+")
    first_game = models.PositiveIntegerField()
    games = models.PositiveIntegerField()
    printed = models.PositiveIntegerField()
    size = models.PositiveIntegerField()
    times = models.JSONField()
    slowest_ms = models.FloatField()
    content = models.BinaryField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint("seat", "first_game", name="seat_log_once_per_slice"),
            models.CheckConstraint(condition=Q(games__gte=1), name="seat_log_has_a_game"),
            models.CheckConstraint(condition=Q(size__gte=F("printed")), name="seat_log_size_has_its_text"),
        ]
        indexes = [
            models.Index("bot", F("id").desc(), name="seat_log_newest_of_bot"),
            models.Index("created_at", name="seat_log_oldest"),
        ]


class SeatNotes(models.Model):
    """What the bot of a seat says of its decisions in the games of a match from ``first_game`` to ``last_game``: for
    the bot's author, and for others where the bot's notes are public. In no record, and dropped with the bot or when
    the bot has newer ones of ``NOTES_BYTES_PER_BOT``, see ``matches.retention``.

    ``content`` is packed by ``matches.queue.seat_notes``; ``size`` is what it counts for, in bytes.
    """

    seat = models.ForeignKey("Seat", models.CASCADE, db_index=False, related_name="notes")
    bot = models.ForeignKey("bots.Bot", models.CASCADE, db_index=False, related_name="+")
    first_game = models.PositiveIntegerField()
    last_game = models.PositiveIntegerField()
    size = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        verbose_name_plural = "notes of seats"
        constraints = [
            models.UniqueConstraint("seat", "first_game", name="seat_notes_once_per_slice"),
            models.CheckConstraint(condition=Q(last_game__gte=F("first_game")), name="seat_notes_have_a_game"),
        ]
        indexes = [models.Index("bot", F("id").desc(), name="seat_notes_newest_of_bot")]


class CheckGame(models.Model):
    """A game of the check of an upload, for its author to watch. ``index`` counts the games of a ``stage`` (see
    ``matches.referee.trial``); ``places`` are by seat, as in ``matches.models.Game``. Those of an attempt that was void
    are not shown."""

    version = models.ForeignKey("bots.BotVersion", models.CASCADE, db_index=False, related_name="check_games")
    attempt = models.PositiveIntegerField()
    stage = models.CharField(max_length=10)
    index = models.PositiveIntegerField()
    record = models.BinaryField()
    places = models.JSONField()
    reason = models.CharField(max_length=40)
    tie_break = models.CharField(max_length=40, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                "version", "attempt", "stage", "index", name="check_game_index_unique_per_stage_and_attempt"
            ),
            models.CheckConstraint(condition=Q(stage__in=["mirror", "house"]), name="check_game_stage_known"),
        ]


class Sparring(models.Model):
    """A private match that an author requested: seat 0 has the version in question, all others its opponent."""

    match = models.OneToOneField("Match", models.CASCADE, primary_key=True, related_name="sparring")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index("author", F("match").desc(), name="sparring_newest_of_author")]
