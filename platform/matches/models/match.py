"""Models of matches: accounts that share the workers, contests, workers, matches and seats.

A match is a series of seed blocks between bot versions. Each seed is played in every rotation of the seats.

A match moves queued -> running -> finished. The other states are held (paused), cancelled and on air. A match that is
broadcast is on air between running and finished: it has been played, and its result is sealed until the broadcast ends.
A worker owns a match while its lease lasts. Every attempt has a number, and only the attempt that holds the lease may
write the result. A long match is played in slices of whole blocks. After each slice, it is queued again and keeps its
games.
"""

from datetime import datetime
from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.beats import Tempo
from matches.referee.stopping import StopReason


class Account(models.Model):
    """The account to which work is charged: all tournaments of an organiser, or all their leagues.

    ``queue.claims`` shares the workers between the accounts. ``spent`` is in seconds of workers. Matches that are
    slowed down for spectators have accounts of their own.
    """

    name = models.CharField(max_length=60, primary_key=True)  # "organiser.5", "leagues.5", "organiser.5.paced"
    is_paced = models.BooleanField(default=False)
    spent = models.FloatField(default=0)

    def __str__(self) -> str:
        return self.name


class Contest(models.Model):
    """A tournament or a season of a league, as a group of matches.

    A contest that ``is_quiet`` plays so many matches that no webhook events are sent. Results may be stored before a
    task is sent to process them. ``news_at`` is the time since which such results wait, or null.
    """

    name = models.CharField(max_length=60, primary_key=True)  # "tournament.5", "season.3"
    block_seconds = models.FloatField(null=True, blank=True)  # worker time per block, estimated from recent matches
    is_quiet = models.BooleanField(default=False)
    news_at = models.DateTimeField(null=True, blank=True)
    notified_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name


class WorkerPresence(models.Model):
    """A worker, and when it was last seen. It plays ``slots`` matches at once.

    ``denied`` is "" unless the worker may not run bots. Then it has the missing layers of the cage and how to fix them.
    A worker that ``is_drained`` takes no more matches until staff resume it. ``clock_ahead`` is its clock minus the
    clock of the database, in seconds.
    """

    name = models.CharField(max_length=100, unique=True)
    seen_at = models.DateTimeField()
    denied = models.TextField(blank=True)
    slots = models.PositiveIntegerField(default=1)
    clock_ahead = models.FloatField(default=0)
    games = models.JSONField(null=True)  # by game, the code versions of the packaged games that the worker has
    is_drained = models.BooleanField(_("drained"), default=False, db_default=False)

    class Meta:
        verbose_name = _("worker")
        verbose_name_plural = _("workers")

    def __str__(self) -> str:
        return self.name


class MatchState(models.TextChoices):
    HELD = "held", _("on hold")
    QUEUED = "queued", _("queued")
    RUNNING = "running", _("playing")
    ON_AIR = "on_air", _("live")
    FINISHED = "finished", _("finished")
    CANCELLED = "cancelled", _("cancelled")


UNDECIDED: Final = (MatchState.HELD, MatchState.QUEUED, MatchState.RUNNING, MatchState.ON_AIR)


class Broadcast(models.TextChoices):
    """The tempo at which a match is broadcast once it has been played; see ``games.beats``."""

    NONE = "", _("no broadcast")
    HIGHLIGHTS = Tempo.HIGHLIGHTS.value, _("highlights, about a minute a game")
    STORY = Tempo.STORY.value, _("story, two to three minutes a game")
    EVERY = Tempo.EVERY.value, _("every move")


class Audience(models.TextChoices):
    """Who may see a match, in addition to staff and its organiser."""

    EVERYONE = "everyone", _("everyone")
    UNLISTED = "unlisted", _("anyone with the link")
    GROUP = "group", _("members of its group")
    AUTHORS = "authors", _("the authors of its bots")
    ORGANISER = "organiser", _("its organiser")


OPEN_AUDIENCES: Final = (Audience.EVERYONE, Audience.UNLISTED)  # anyone with the address may see the match


def match_airs_later(state: str, tempo: str, airs_at: datetime | None) -> bool:
    """Return whether a match that is broadcast is running or on air, but nothing of it has been shown yet."""
    waits = state == MatchState.ON_AIR and airs_at is not None and airs_at > timezone.now()
    return bool(tempo) and (waits or state == MatchState.RUNNING)


class Match(models.Model):
    """A series of games. ``blocks`` seeds are derived from ``secret``; a match of k seats plays ``blocks * k`` games.

    With a ``stopping`` rule, ``blocks`` is the maximum, and ``ending`` and ``llr`` say how the series ended. Without
    one, ``stopping`` is ``{}``; see ``matches.referee.stopping``. ``blocks_played`` is the number of blocks that were
    played.

    With a ``tempo``, the match is broadcast, see ``matches.airing``. The broadcast begins at ``airs_at``: when the
    match has been played, but not before ``premieres_at``. It ends at ``air_ends_at``. Only then are the ending and the
    totals of the seats written.

    With a ``group``, only its members, the organiser and staff may see the match, whatever its ``audience``.
    """

    ruleset = models.CharField(max_length=30)  # "pickomino/1"
    # The code of a packaged game: "pecking-order-pig 1.0.0 <digest>", see games.catalogue.code; "" for other games.
    code = models.CharField(max_length=200, blank=True, default="", db_default="")
    options = models.JSONField(default=dict)
    limits = models.JSONField(default=dict)
    blocks = models.PositiveIntegerField(default=1)
    stopping = models.JSONField(default=dict, blank=True)
    blocks_played = models.PositiveIntegerField(null=True, blank=True)
    ending = models.CharField(max_length=20, blank=True)  # a matches.referee.StopReason
    llr = models.FloatField(null=True, blank=True)  # see matches.referee.SeriesResult
    luck_value = models.CharField(max_length=40, blank=True, default="", db_default="")  # "pickomino/1-v1", see luck
    min_action_ms = models.PositiveIntegerField(
        default=0
    )  # the least time between two actions, for matches slowed down for spectators
    tempo = models.CharField(max_length=10, choices=Broadcast.choices, default=Broadcast.NONE, blank=True)
    premieres_at = models.DateTimeField(null=True, blank=True)
    airs_at = models.DateTimeField(null=True, blank=True)
    air_ends_at = models.DateTimeField(null=True, blank=True)
    secret = models.BinaryField(max_length=32)
    audience = models.CharField(max_length=10, choices=Audience.choices, default=Audience.EVERYONE)
    group = models.ForeignKey(
        "groups.Group", models.PROTECT, null=True, blank=True, db_index=False, related_name="+", verbose_name=_("group")
    )
    organiser = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    account = models.ForeignKey(Account, models.PROTECT, null=True, blank=True, db_index=False, related_name="+")
    contest = models.ForeignKey(Contest, models.PROTECT, null=True, blank=True, db_index=False, related_name="+")
    state = models.CharField(max_length=10, choices=MatchState.choices, default=MatchState.QUEUED)
    attempt = models.PositiveIntegerField(default=0)  # counts from 1; all slices belong to one attempt
    blocks_kept = models.PositiveIntegerField(default=0)  # blocks of earlier slices; their games are stored
    worker = models.CharField(max_length=100, blank=True)
    lease_expires_at = models.DateTimeField(null=True, blank=True)
    dispatch_at = models.DateTimeField(default=timezone.now)  # not played before this time
    platform_faults = models.PositiveIntegerField(default=0)  # faults that workers reported since its last release
    workers_lost = models.PositiveIntegerField(default=0)  # leases that have expired since the match was last released
    last_platform_fault = models.CharField(max_length=300, blank=True)
    # Whether the game's code caused the last fault: it raised an exception, was missing, or was not the match's code;
    # see queue.stuck_contests.
    is_games_fault = models.BooleanField(default=False, db_default=False)
    on_finished_task = models.CharField(max_length=80, blank=True)  # sent after the result is committed
    created_at = models.DateTimeField(auto_now_add=True)
    # Unless the match is held, workers may claim it from this time on.
    released_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    duration_ms = models.PositiveIntegerField(null=True, blank=True)
    wasted_ms = models.PositiveBigIntegerField(default=0, db_default=0)  # the worker time of void attempts
    worker_speed = models.FloatField(null=True, blank=True)  # fixed work units per second, measured by the worker

    class Meta:
        verbose_name_plural = "matches"
        constraints = [
            models.CheckConstraint(condition=Q(state__in=MatchState.values), name="match_state_known"),
            models.CheckConstraint(condition=Q(audience__in=Audience.values), name="match_audience_known"),
            models.CheckConstraint(
                condition=Q(group__isnull=True, audience__in=["everyone", "unlisted", "authors", "organiser"])
                | Q(group__isnull=False, audience__in=["group", "authors", "organiser"]),
                name="match_of_a_group_is_no_others",
            ),
            models.CheckConstraint(condition=Q(blocks__gte=1), name="match_has_a_block"),
            models.CheckConstraint(
                condition=Q(blocks_played__isnull=True) | Q(blocks_played__gte=1, blocks_played__lte=F("blocks")),
                name="match_plays_its_blocks_at_most",
            ),
            models.CheckConstraint(condition=Q(blocks_kept__lte=F("blocks")), name="match_keeps_its_blocks_at_most"),
            models.CheckConstraint(
                condition=~Q(state="queued") | Q(account__isnull=False), name="match_queued_has_an_account"
            ),
            models.CheckConstraint(
                condition=Q(ending__in=["", *(one.value for one in StopReason)]), name="match_ending_known"
            ),
            models.CheckConstraint(
                condition=Q(state="running", lease_expires_at__isnull=False)
                | (~Q(state="running") & Q(lease_expires_at__isnull=True)),
                name="match_leased_exactly_while_running",
            ),
            models.CheckConstraint(condition=Q(tempo__in=Broadcast.values), name="match_tempo_known"),
            models.CheckConstraint(
                condition=~Q(state="on_air")
                | (~Q(tempo="") & Q(airs_at__isnull=False, air_ends_at__isnull=False, air_ends_at__gte=F("airs_at"))),
                name="match_on_air_has_its_times",
            ),
            models.CheckConstraint(
                condition=Q(state="finished", finished_at__isnull=False)
                | (~Q(state="finished") & Q(finished_at__isnull=True)),
                name="match_finished_has_a_time",
            ),
        ]
        indexes = [
            models.Index("contest", name="match_stuck_by_contest", condition=Q(state="held", is_games_fault=True)),
            models.Index("premieres_at", name="match_by_premiere", condition=Q(premieres_at__isnull=False)),
            # Each state has its own index: SQLite uses a partial index for ``state = ?``, but not for ``IN``.
            models.Index("released_at", name="match_queued_by_release", condition=Q(state="queued")),
            models.Index("lease_expires_at", name="match_running_by_lease", condition=Q(state="running")),
            models.Index(F("created_at").desc(), F("id").desc(), name="match_newest_first"),
            models.Index("air_ends_at", name="match_on_air_by_end", condition=Q(state="on_air")),
            models.Index("account", "dispatch_at", "id", name="match_queued_by_account", condition=Q(state="queued")),
            models.Index(F("finished_at").desc(), name="match_finished_newest_first", condition=Q(state="finished")),
        ]

    def __str__(self) -> str:
        return f"match {self.pk}"

    @property
    def game(self) -> str:
        """The ruleset's name without its version: "pickomino"."""
        return self.ruleset.partition("/")[0]

    @property
    def is_open(self) -> bool:
        """Whether anyone with the address may see the match."""
        return self.audience in OPEN_AUDIENCES

    @property
    def is_unlisted(self) -> bool:
        return self.audience == Audience.UNLISTED

    @property
    def sealed(self) -> bool:
        """Whether the result is secret because the broadcast is not over. Organisers and staff cannot see it either."""
        return self.tempo != Broadcast.NONE and self.state != MatchState.FINISHED

    @property
    def airs_later(self) -> bool:
        """Whether the match is being played or is on air, and nothing of it is shown yet."""
        return match_airs_later(self.state, self.tempo, self.airs_at)

    @property
    def took_ms(self) -> int | None:
        """The time that workers played, in milliseconds. None while sealed: it would reveal how a series went."""
        return None if self.sealed else self.duration_ms

    @property
    def seat_names(self) -> list[str]:
        """The names of the bots by seat. If names are equal, versions are added. Reads the seats with their bots."""
        versions = [seat.version for seat in self.seats.all()]
        names = [version.bot.name for version in versions]
        return [
            name if names.count(name) == 1 else f"{name} v{version.number}"
            for name, version in zip(names, versions, strict=True)
        ]

    @property
    def best_seats(self) -> frozenset[int]:
        """The seats with the highest score; empty without a result. Reads the seats."""
        scores = {seat.index: seat.score for seat in self.seats.all() if seat.score is not None}
        return frozenset(index for index, score in scores.items() if score == max(scores.values()))

    @property
    def blocks_most(self) -> int:
        """The number of blocks that were played. While the match goes on, the largest number that is possible."""
        return self.blocks_played or self.blocks


class Seat(models.Model):
    """A bot version in a match, and its part of the result. Seats are in table order.

    ``score`` adds up the share of opponents beaten in each game, where ties count half. So it is from 0 to the number
    of games. ``places`` has the place in each game. ``wins`` counts undivided first places. ``points`` adds up the
    game's own points, such as worms. Games in which the seat was at fault are left out, because points of a stand-in do
    not count.

    A bot with too many faults forfeits the match. It then loses to every seat that has not forfeited, whatever its
    score. A bot whose process was killed repeatedly is held: it forfeits from the start.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField()
    version = models.ForeignKey("bots.BotVersion", models.PROTECT, related_name="seats")
    score = models.FloatField(null=True, blank=True)
    points = models.IntegerField(null=True, blank=True)
    wins = models.PositiveIntegerField(null=True, blank=True)
    places = models.JSONField(default=list, blank=True)
    faulty_games = models.PositiveIntegerField(default=0)  # including those after the bot forfeited the match
    has_forfeited = models.BooleanField(default=False)
    # How often an attempt became void because the bot's process was killed for an unknown reason; see queue.leases.
    boxes_lost = models.PositiveSmallIntegerField(default=0, db_default=0)
    explains = models.BooleanField(default=False, db_default=False)  # the bot has given notes, see SeatNotes
    cpu_ms = models.FloatField(null=True, blank=True)
    slowest_ms = models.FloatField(null=True, blank=True)

    class Meta:
        ordering = ["index"]
        constraints = [models.UniqueConstraint("match", "index", name="seat_index_unique_per_match")]

    @property
    def is_held(self) -> bool:
        """Whether the seat has forfeited because its bot is held: the bot's process was killed repeatedly."""
        return self.has_forfeited and self.boxes_lost > 1

    @property
    def slowest_action_ms(self) -> float | None:
        """Processor time of the slowest action so far, in milliseconds; None while the match is sealed."""
        return None if self.match.sealed else self.slowest_ms
