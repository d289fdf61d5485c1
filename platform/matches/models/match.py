"""A match: a series of seed blocks between bot versions, each seed played in every rotation of the seats; and what
shares the workers out among all who have matches to play.

A match moves queued -> running -> finished, with held (paused) and cancelled beside it. One that is broadcast is on
air between running and finished: it has been played, and its result is sealed until the broadcast ends. A worker owns
a match for as long as its lease lasts; every attempt has a number, and only the attempt that holds the lease may write
the result. A long match is played in slices of whole blocks: after each it is queued again, with its games so far.
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
    """Whose work it is: an organiser's tournaments, or all their leagues.

    ``queue.claims`` shares the workers out between the accounts.
    ``spent`` counts seconds of workers. Matches that are slowed down to be watched have accounts of their own.
    """

    name = models.CharField(max_length=60, primary_key=True)  # "organiser.5", "leagues.5", "organiser.5.paced"
    is_paced = models.BooleanField(default=False)
    spent = models.FloatField(default=0)

    def __str__(self) -> str:
        return self.name


class Contest(models.Model):
    """What several matches belong to: a tournament or a season of a league.

    ``is_quiet``: it plays so many that no webhook events are sent. ``news_at``: since when there are results for
    which no task has been sent.
    """

    name = models.CharField(max_length=60, primary_key=True)  # "tournament.5", "season.3"
    block_seconds = models.FloatField(null=True, blank=True)  # that a worker needs for a block, by the last matches
    is_quiet = models.BooleanField(default=False)
    news_at = models.DateTimeField(null=True, blank=True)
    notified_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name


class WorkerPresence(models.Model):
    """A worker that was seen; ``denied`` says why it may not run bots, naming the missing layers and their fixes.

    It plays ``slots`` matches at once; one that ``is_drained`` takes no more until staff lets it go on.
    ``clock_ahead``, in seconds, is its clock's time less the database's.
    """

    name = models.CharField(max_length=100, unique=True)
    seen_at = models.DateTimeField()
    denied = models.TextField(blank=True)
    slots = models.PositiveIntegerField(default=1)
    clock_ahead = models.FloatField(default=0)
    games = models.JSONField(null=True)  # the codes of packages' games that it has, by name
    is_drained = models.BooleanField(_("drained"), default=False, db_default=False)

    class Meta:
        verbose_name = _("worker")
        verbose_name_plural = _("workers")

    def __str__(self) -> str:
        return self.name


class MatchState(models.TextChoices):
    HELD = "held", _("held")
    QUEUED = "queued", _("queued")
    RUNNING = "running", _("playing")
    ON_AIR = "on_air", _("live")
    FINISHED = "finished", _("finished")
    CANCELLED = "cancelled", _("cancelled")


UNDECIDED: Final = (MatchState.HELD, MatchState.QUEUED, MatchState.RUNNING, MatchState.ON_AIR)


class Broadcast(models.TextChoices):
    """At which tempo a match is broadcast once it has been played; see ``games.beats``."""

    NONE = "", _("no broadcast")
    HIGHLIGHTS = Tempo.HIGHLIGHTS.value, _("highlights, about a minute a game")
    STORY = Tempo.STORY.value, _("story, two to three minutes a game")
    EVERY = Tempo.EVERY.value, _("every move")


class Audience(models.TextChoices):
    """Who may look at a match, beside staff and its organiser."""

    EVERYONE = "everyone", _("everyone")
    UNLISTED = "unlisted", _("anyone with the link")
    GROUP = "group", _("members of its group")
    AUTHORS = "authors", _("the authors of its bots")
    ORGANISER = "organiser", _("its organiser")


OPEN_AUDIENCES: Final = (Audience.EVERYONE, Audience.UNLISTED)  # anyone with the address


def match_airs_later(state: str, tempo: str, airs_at: datetime | None) -> bool:
    """Whether a match is played, or has been, and nothing of it is shown before its broadcast begins."""
    waits = state == MatchState.ON_AIR and airs_at is not None and airs_at > timezone.now()
    return bool(tempo) and (waits or state == MatchState.RUNNING)


class Match(models.Model):
    """``blocks`` seeds are drawn from ``secret``; a match of k seats plays ``blocks * k`` games.

    With a ``stopping`` rule (see ``matches.referee.stopping``; ``{}``: none) ``blocks`` is the most there may be.
    ``blocks_played``, and for such a series ``ending`` and ``llr``, say how it ended.

    With a ``tempo`` it is broadcast, see ``matches.airing``: from ``airs_at`` on, which is when it has been played, but
    not before ``premieres_at``, until ``air_ends_at``. Only then come the totals of its seats, and how it ended.

    With a ``group`` nobody looks at it who is not a member, whatever its ``audience``, but its organiser and staff.
    """

    ruleset = models.CharField(max_length=30)  # "pickomino/1"
    # Of the game, where it is a package's: "pecking-order-pig 1.0.0 <digest>", see games.catalogue.code; "" for none.
    code = models.CharField(max_length=200, blank=True, default="", db_default="")
    options = models.JSONField(default=dict)
    limits = models.JSONField(default=dict)
    blocks = models.PositiveIntegerField(default=1)
    stopping = models.JSONField(default=dict, blank=True)
    blocks_played = models.PositiveIntegerField(null=True, blank=True)
    ending = models.CharField(max_length=20, blank=True)  # a matches.referee.Ending
    llr = models.FloatField(null=True, blank=True)  # see matches.referee.SeriesResult
    luck_value = models.CharField(max_length=40, blank=True, default="", db_default="")  # "pickomino/1-v1", see luck
    min_action_ms = models.PositiveIntegerField(
        default=0
    )  # least time between two actions, for matches meant to be watched
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
    attempt = models.PositiveIntegerField(default=0)  # from 1 on, raised when one is void; slices belong to one attempt
    blocks_kept = models.PositiveIntegerField(default=0)  # played in slices, their games written
    worker = models.CharField(max_length=100, blank=True)
    lease_expires_at = models.DateTimeField(null=True, blank=True)
    dispatch_at = models.DateTimeField(default=timezone.now)  # not to be played before
    platform_faults = models.PositiveIntegerField(default=0)  # that workers lived to tell of, since the last release
    workers_lost = models.PositiveIntegerField(default=0)  # whose lease ran out while they had it, since then
    last_platform_fault = models.CharField(max_length=300, blank=True)
    # That fault was of the game's code, which raised it, is missing, or is another; see ``queue.stuck_games``.
    is_games_fault = models.BooleanField(default=False, db_default=False)
    on_finished_task = models.CharField(max_length=80, blank=True)  # the task that is sent after the result's commit
    created_at = models.DateTimeField(auto_now_add=True)
    released_at = models.DateTimeField(default=timezone.now)  # since when workers may take it, unless it is held
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    duration_ms = models.PositiveIntegerField(null=True, blank=True)
    wasted_ms = models.PositiveBigIntegerField(default=0, db_default=0)  # of workers, for attempts that brought nothing
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
            # One for each state: SQLite takes an index of some rows for ``state = ?`` and for no ``IN``.
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
        """Whether anyone with its address may look at it."""
        return self.audience in OPEN_AUDIENCES

    @property
    def is_unlisted(self) -> bool:
        return self.audience == Audience.UNLISTED

    @property
    def sealed(self) -> bool:
        """Whether nobody may know yet how it went, organisers and staff included: it is to be broadcast, or on air."""
        return self.tempo != Broadcast.NONE and self.state != MatchState.FINISHED

    @property
    def airs_later(self) -> bool:
        """Whether it is under way and nothing of it is shown yet."""
        return match_airs_later(self.state, self.tempo, self.airs_at)

    @property
    def took_ms(self) -> int | None:
        """How long workers played it, which may tell how a series went."""
        return None if self.sealed else self.duration_ms

    @property
    def seat_names(self) -> list[str]:
        """What people call its seats, in order: the bots' names, and where two are alike, with their versions. Reads
        the seats with their bots."""
        versions = [seat.version for seat in self.seats.all()]
        names = [version.bot.name for version in versions]
        return [
            name if names.count(name) == 1 else f"{name} v{version.number}"
            for name, version in zip(names, versions, strict=True)
        ]

    @property
    def best_seats(self) -> frozenset[int]:
        """The seats with the highest score, once there is a result. Reads the seats."""
        scores = {seat.index: seat.score for seat in self.seats.all() if seat.score is not None}
        return frozenset(index for index, score in scores.items() if score == max(scores.values()))

    @property
    def blocks_most(self) -> int:
        """The blocks that were played; as long as that is open, those there may be at most."""
        return self.blocks_played or self.blocks


class Seat(models.Model):
    """One entrant of a match, in table order, with its share of the result once there is one.

    ``score`` sums, over the games, the share of opponents beaten (ties half), so it lies in 0..games. ``places`` holds
    the place in each game, ``wins`` counts first places held alone. ``points`` sums the game's own points (worms), but
    for games in which the seat was at fault: what a stand-in earned is nobody's. A bot whose faults were too many has
    forfeited the match: it has lost to every seat that has not, whatever its score. That may be so from the start, as
    that of a bot which is held because its process was killed again and again.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField()
    version = models.ForeignKey("bots.BotVersion", models.PROTECT, related_name="seats")
    score = models.FloatField(null=True, blank=True)
    points = models.IntegerField(null=True, blank=True)
    wins = models.PositiveIntegerField(null=True, blank=True)
    places = models.JSONField(default=list, blank=True)
    faulty_games = models.PositiveIntegerField(default=0)  # those after it forfeited the match included
    has_forfeited = models.BooleanField(default=False)
    # Times that its process was killed, nobody knows why, which voided the attempt; see queue.leases.
    boxes_lost = models.PositiveSmallIntegerField(default=0, db_default=0)
    explains = models.BooleanField(default=False, db_default=False)  # its bot has said something, see SeatNotes
    cpu_ms = models.FloatField(null=True, blank=True)
    slowest_ms = models.FloatField(null=True, blank=True)

    class Meta:
        ordering = ["index"]
        constraints = [models.UniqueConstraint("match", "index", name="seat_index_unique_per_match")]

    @property
    def is_held(self) -> bool:
        """Whether its bot was held because its process was killed again and again: that is why it has forfeited."""
        return self.has_forfeited and self.boxes_lost > 1

    @property
    def slowest_action_ms(self) -> float | None:
        """Its slowest action so far, as far as people may know."""
        return None if self.match.sealed else self.slowest_ms
