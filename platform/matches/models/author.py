"""Models for authors: logs and notes of their bots, games of checks, sparring and challenges."""

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class SeatLog(models.Model):
    """What the bot of a seat printed, and how long its actions took, in some games of a match. For the bot's author.

    These are ``games`` games from ``first_game`` on. Logs are deleted after a while, see ``matches.retention``.
    ``matches.queue.seat_logs`` packs ``content``. ``printed`` is the size of its text in bytes, and ``size`` the size
    of all of it as limits count it. ``times`` has the number of actions in each bucket of ``matches.referee.scoring``.
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
    """The notes that the bot of a seat gave with its moves in the games ``first_game`` to ``last_game`` of a match.

    Notes are for the bot's author, and for others if the bot's notes are public. They are in no record. They are
    deleted with the bot, and when its newer notes exceed ``NOTES_BYTES_PER_BOT``, see ``matches.retention``.
    ``matches.queue.seat_logs`` packs ``content``. ``size`` is the size of the content in bytes, as limits count it.
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
    """A game of the check of an upload, which the author of the upload may watch.

    ``index`` counts the games of a ``stage`` (see ``matches.referee.trial``). ``places`` are by seat, as in
    ``matches.models.Game``. Games of a void attempt are not shown.
    """

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
    """A private match that an author requested. Seat 0 has the version under test, all other seats the opponent."""

    match = models.OneToOneField("Match", models.CASCADE, primary_key=True, related_name="sparring")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index("author", F("match").desc(), name="sparring_newest_of_author")]


CHALLENGES_A_DAY: Final = 3  # challenges of one author against one bot


class ChallengeState(models.TextChoices):
    """asked -> accepted | declined | withdrawn | lapsed. An accepted challenge can be declined until the match begins.

    A challenge that needs no consent starts as accepted. The result of an accepted challenge is that of its match.
    """

    ASKED = "asked", _("waiting for an answer")
    ACCEPTED = "accepted", _("accepted")
    DECLINED = "declined", _("declined")
    WITHDRAWN = "withdrawn", _("withdrawn")
    LAPSED = "lapsed", _("not answered")


class Challenge(models.Model):
    """``bot`` challenges ``opponent``. The match counts against the quota of ``author``, who made the challenge.

    ``turn`` numbers the challenges of this author against this opponent on a ``day`` (UTC), from 0.
    """

    bot = models.ForeignKey("bots.Bot", models.CASCADE, related_name="+", db_index=False)
    opponent = models.ForeignKey("bots.Bot", models.CASCADE, related_name="+", db_index=False)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    state = models.CharField(max_length=10, choices=ChallengeState.choices, default=ChallengeState.ASKED)
    match = models.OneToOneField("Match", models.CASCADE, null=True, related_name="challenge")
    day = models.DateField()
    turn = models.PositiveSmallIntegerField()
    created_at = models.DateTimeField(default=timezone.now)
    answered_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=ChallengeState.values), name="challenge_state_known"),
            models.CheckConstraint(condition=~Q(bot=F("opponent")), name="challenge_of_another_bot"),
            models.CheckConstraint(condition=Q(turn__lt=CHALLENGES_A_DAY), name="challenge_turns_of_a_day"),
            models.CheckConstraint(
                condition=Q(state="declined")
                | Q(state="accepted", match__isnull=False)
                | Q(state__in=["asked", "withdrawn", "lapsed"], match__isnull=True),
                name="challenge_accepted_has_a_match",
            ),
            models.UniqueConstraint("author", "opponent", "day", "turn", name="challenge_turn_unique_per_day"),
            models.UniqueConstraint(
                "bot", "opponent", condition=Q(state="asked"), name="challenge_asked_once_per_pair"
            ),
        ]
        indexes = [
            models.Index("bot", F("id").desc(), name="challenge_newest_of_bot"),
            models.Index("opponent", F("id").desc(), name="challenge_newest_of_opponent"),
        ]

    def __str__(self) -> str:
        return f"#{self.pk}"
