"""A tournament: who entered which bot, who met whom, and the announced way of ranking them."""

from hashlib import sha256

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class TournamentState(models.TextChoices):
    DRAFT = "draft", _("draft")
    OPEN = "open", _("open for entries")
    RUNNING = "running", _("running")
    PAUSED = "paused", _("paused")
    FINISHED = "finished", _("finished")
    CANCELLED = "cancelled", _("cancelled")


PLAYING = frozenset({TournamentState.RUNNING, TournamentState.PAUSED})


class Format(models.TextChoices):
    ROUND_ROBIN = "round_robin", _("Round robin")
    SWISS = "swiss", _("Swiss")


class Tournament(models.Model):
    """``secret`` seeds every match; its SHA-256 is shown from the opening on, the secret itself once finished."""

    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(max_length=90, unique=True)
    description = models.TextField(_("description"), max_length=2000, blank=True)
    organiser = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="tournaments")
    format = models.CharField(_("format"), max_length=20, choices=Format.choices, default=Format.ROUND_ROBIN)
    rounds = models.PositiveSmallIntegerField(
        _("rounds"), default=0
    )  # of a Swiss; a round robin's follow from its size
    drawn = models.PositiveSmallIntegerField(default=0)  # rounds of a Swiss drawn so far
    ruleset = models.CharField(_("game"), max_length=30)  # "pickomino/1"
    options = models.JSONField(default=dict, blank=True)
    players_per_table = models.PositiveSmallIntegerField(_("players per table"), default=2)
    smallest_table = models.PositiveSmallIntegerField(default=2)  # of a Swiss whose entries do not divide
    blocks = models.PositiveIntegerField(_("blocks per match"), default=2)
    limits = models.JSONField(default=dict, blank=True)
    pace_ms = models.PositiveIntegerField(_("pace"), default=0)
    tie_breaks = models.JSONField(default=list)
    entries_per_author = models.PositiveSmallIntegerField(_("bots per author"), default=1)
    secret = models.BinaryField(max_length=32)
    state = models.CharField(max_length=10, choices=TournamentState.choices, default=TournamentState.DRAFT)
    created = models.DateTimeField(auto_now_add=True)
    started = models.DateTimeField(null=True, blank=True)
    finished = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created"]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=TournamentState.values), name="tournament_state_known"),
            models.CheckConstraint(condition=Q(players_per_table__range=(2, 7)), name="tournament_table_size"),
            models.CheckConstraint(
                condition=Q(smallest_table__gte=2, smallest_table__lte=F("players_per_table")),
                name="tournament_smallest_table",
            ),
            models.CheckConstraint(condition=Q(format__in=Format.values), name="tournament_format_known"),
            models.CheckConstraint(condition=Q(drawn__lte=F("rounds")), name="tournament_draws_no_more_rounds"),
            models.CheckConstraint(
                condition=~Q(format="swiss") | Q(rounds__gte=1), name="tournament_swiss_has_a_round"
            ),
            models.CheckConstraint(condition=Q(blocks__gte=1), name="tournament_has_a_block"),
            models.CheckConstraint(condition=Q(entries_per_author__gte=1), name="tournament_lets_authors_enter"),
            models.CheckConstraint(
                condition=Q(started__isnull=False) | ~Q(state__in=["running", "paused", "finished"]),
                name="tournament_started_has_a_time",
            ),
            models.CheckConstraint(
                condition=Q(state="finished", finished__isnull=False)
                | (~Q(state="finished") & Q(finished__isnull=True)),
                name="tournament_finished_has_a_time",
            ),
        ]
        indexes = [models.Index(F("created"), name="tournament_running", condition=Q(state="running"))]

    def __str__(self) -> str:
        return self.name

    @property
    def game(self) -> str:
        """The ruleset's name without its version: "pickomino"."""
        return self.ruleset.partition("/")[0]

    @property
    def is_swiss(self) -> bool:
        return self.format == Format.SWISS

    @property
    def smallest_field(self) -> int:
        """The fewest entries that can play."""
        return self.smallest_table if self.is_swiss else self.players_per_table

    @property
    def takes_entries(self) -> bool:
        """While open; a Swiss also takes bots until half of its rounds are drawn."""
        late = self.is_swiss and 2 * self.drawn <= self.rounds
        return self.state == TournamentState.OPEN or (late and self.state in PLAYING)

    @property
    def lets_withdraw(self) -> bool:
        """While open; from a Swiss also later: the rounds not drawn yet do without the bot."""
        return self.state == TournamentState.OPEN or (self.is_swiss and self.state in PLAYING)

    @property
    def bye_points(self) -> int:
        """What a bye is worth: as much as beating everyone at a full table."""
        return self.players_per_table - 1

    @property
    def commitment(self) -> str:
        """SHA-256 of the secret in hexadecimal: may be shown from the opening on, while the secret may not."""
        return sha256(bytes(self.secret)).hexdigest()


class Entry(models.Model):
    """A bot in a tournament; ``version`` is frozen at the start so that every round meets the same code."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="entries")
    bot = models.ForeignKey("bots.Bot", models.PROTECT, related_name="entries")
    version = models.ForeignKey("bots.BotVersion", models.PROTECT, null=True, blank=True, related_name="entries")
    withdrawn = models.BooleanField(default=False)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["created", "pk"]
        verbose_name_plural = "entries"
        constraints = [models.UniqueConstraint("tournament", "bot", name="bot_enters_once")]


class Fixture(models.Model):
    """A table of a round and the match that decides it. ``reasons``: why a Swiss put these bots together, as written by
    ``formats.Table``."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="fixtures")
    round = models.PositiveIntegerField()
    table = models.PositiveIntegerField()
    match = models.OneToOneField("matches.Match", models.PROTECT, related_name="fixture")
    reasons = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ["round", "table"]
        constraints = [models.UniqueConstraint("tournament", "round", "table", name="one_fixture_per_table")]


class Bye(models.Model):
    """An entry that found no table in a round. ``reasons``: why it was this one, as written by ``formats.Bye``."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="byes")
    round = models.PositiveIntegerField()
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="byes")
    points = models.PositiveSmallIntegerField()
    reasons = models.JSONField()

    class Meta:
        ordering = ["round", "entry"]
        constraints = [models.UniqueConstraint("tournament", "round", "entry", name="one_bye_per_entry_and_round")]
