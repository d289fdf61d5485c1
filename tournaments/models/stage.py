"""A tournament is played in stages, a stage in rounds, a round at tables: who met whom, and why."""

from typing import Final

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from tournaments.formats.dutch import Edition
from tournaments.formats.knockout import going_on
from tournaments.models.entry import Entry
from tournaments.models.tournament import Tournament


class Format(models.TextChoices):
    ROUND_ROBIN = "round_robin", _("Round robin")
    SWISS = "swiss", _("Swiss")
    DUTCH_2026 = "dutch_2026", _("FIDE Dutch, rules of 2026")
    DUTCH = "dutch", _("FIDE Dutch, rules before 2026")
    SINGLE_ELIMINATION = "single_elimination", _("Single elimination")
    DOUBLE_ELIMINATION = "double_elimination", _("Double elimination")
    HEATS = "heats", _("Knockout in heats")


EDITIONS: Final = {Format.DUTCH: Edition.UNTIL_2026, Format.DUTCH_2026: Edition.OF_2026}
DUTCH = frozenset(EDITIONS)
BY_STANDINGS = DUTCH | {Format.SWISS}
KNOCKOUTS = frozenset({Format.SINGLE_ELIMINATION, Format.DOUBLE_ELIMINATION, Format.HEATS})
FOR_TWO = KNOCKOUTS - {Format.HEATS} | DUTCH


class Stage(models.Model):
    """One format from its first round to its last. The first stage is played by all entries, a later one by the best
    ``entrants`` of the stage before (all of them, if 0), who begin anew."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField(default=1)
    format = models.CharField(_("format"), max_length=20, choices=Format.choices, default=Format.ROUND_ROBIN)
    rounds = models.PositiveSmallIntegerField(_("rounds"), default=0)  # announced; 0 where they follow from the size
    drawn = models.PositiveSmallIntegerField(default=0)  # rounds so far
    entrants = models.PositiveSmallIntegerField(_("bots that go on to it"), default=0)
    players_per_table = models.PositiveSmallIntegerField(_("players per table"), default=2)
    smallest_table = models.PositiveSmallIntegerField(default=2)  # of a Swiss or heats whose entries do not divide
    blocks = models.PositiveIntegerField(_("blocks per match"), default=2)  # with a stopping rule the most there may be
    stopping = models.JSONField(default=dict, blank=True)  # as matches keep it; {}: every match plays all its blocks
    third_place = models.BooleanField(_("match for the third place"), default=False)  # of a single elimination
    started = models.DateTimeField(null=True, blank=True)
    finished = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint("tournament", "number", name="stage_number_unique_per_tournament"),
            models.CheckConstraint(condition=Q(players_per_table__range=(2, 7)), name="stage_table_size"),
            models.CheckConstraint(
                condition=Q(smallest_table__gte=2, smallest_table__lte=F("players_per_table")),
                name="stage_smallest_table",
            ),
            models.CheckConstraint(condition=Q(format__in=Format.values), name="stage_format_known"),
            models.CheckConstraint(
                condition=Q(rounds=0) | Q(drawn__lte=F("rounds")), name="stage_draws_no_more_rounds"
            ),
            models.CheckConstraint(
                condition=~Q(format__in=["swiss", "dutch", "dutch_2026"]) | Q(rounds__gte=1),
                name="stage_swiss_has_a_round",
            ),
            models.CheckConstraint(
                condition=~Q(format__in=["dutch", "dutch_2026", "single_elimination", "double_elimination"])
                | Q(players_per_table=2),
                name="stage_for_two_has_tables_of_two",
            ),
            models.CheckConstraint(
                condition=~Q(format="heats") | Q(players_per_table__gte=3), name="stage_heats_have_larger_tables"
            ),
            models.CheckConstraint(
                condition=Q(third_place=False) | Q(format="single_elimination"), name="stage_third_place_of_a_knockout"
            ),
            models.CheckConstraint(condition=Q(blocks__gte=1), name="stage_has_a_block"),
            models.CheckConstraint(
                condition=Q(finished__isnull=True) | Q(started__isnull=False), name="stage_finishes_after_its_start"
            ),
            models.CheckConstraint(condition=Q(drawn=0) | Q(started__isnull=False), name="stage_draws_after_its_start"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament}, stage {self.number}"

    @property
    def is_swiss(self) -> bool:
        """Each round is drawn from the standings, by our own rules or by FIDE's."""
        return self.format in BY_STANDINGS

    @property
    def is_dutch(self) -> bool:
        """By FIDE's rules, of either edition."""
        return self.edition is not None

    @property
    def edition(self) -> Edition | None:
        """Of FIDE's rules by which it is drawn; None if by others."""
        return EDITIONS.get(Format(self.format))

    @property
    def has_fide_tie_breaks(self) -> bool:
        """It is a Swiss for two, for which FIDE has rules."""
        return self.is_swiss and self.players_per_table == 2

    @property
    def is_knockout(self) -> bool:
        return self.format in KNOCKOUTS

    @property
    def is_knockout_begun(self) -> bool:
        """It has a bracket to show."""
        return self.is_knockout and self.started is not None

    @property
    def has_large_tables(self) -> bool:
        """For more than two players."""
        return self.players_per_table > 2

    @property
    def in_heats(self) -> bool:
        """A knockout at tables larger than two."""
        return self.format == Format.HEATS

    @property
    def going_on(self) -> int:
        """How many of each heat go on."""
        return going_on(self.smallest_table)

    @property
    def fills_up(self) -> bool:
        """Tables may be smaller than ``players_per_table`` where the entries do not divide."""
        return self.is_swiss or self.in_heats

    @property
    def draws_by_standings(self) -> bool:
        """Rounds are drawn one at a time from the standings, so that bots may come and go between them."""
        return self.is_swiss

    @property
    def draws_one_by_one(self) -> bool:
        """Each round is drawn when the last is finished, so that bots may leave between them."""
        return self.is_swiss or self.is_knockout

    @property
    def is_young(self) -> bool:
        """At most half of its rounds are drawn."""
        return 2 * self.drawn <= self.rounds

    @property
    def smallest_field(self) -> int:
        """The fewest entries that can play."""
        return self.smallest_table if self.fills_up else self.players_per_table

    @property
    def bye_points(self) -> int:
        """What a bye is worth: as much as beating everyone at a full table."""
        return self.players_per_table - 1


class Seed(models.Model):
    """An entry that went on to a later stage, where ``number`` 1 is the best of the stage before; or an entry of a
    knockout with which the tournament begins, numbered by lot."""

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="seeds")
    number = models.PositiveSmallIntegerField()
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="seeds")

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint("stage", "number", name="seed_number_unique_per_stage"),
            models.UniqueConstraint("stage", "entry", name="entry_seeded_once_per_stage"),
        ]


class Round(models.Model):
    """Rounds are numbered through all stages. ``started``: when its matches were let go to the workers; until then its
    tables are the organiser's to look at and its matches are held. ``starts_at``: when that happens by itself.
    ``luck``: the number of the luck that it was drawn from. ``arrangements``: how its tables stood before somebody
    left or came back while it waited, the last one last, see ``selectors.waiting``; ``spare``: by table, matches that
    have no bots for the moment."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="rounds")
    stage = models.ForeignKey(Stage, models.CASCADE, related_name="played")
    number = models.PositiveIntegerField()
    luck = models.PositiveSmallIntegerField(default=1)
    created = models.DateTimeField(auto_now_add=True)
    starts_at = models.DateTimeField(null=True, blank=True)
    started = models.DateTimeField(null=True, blank=True)
    arrangements = models.JSONField(default=list, blank=True)
    spare = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint("tournament", "number", name="round_number_unique_per_tournament")]


class Fixture(models.Model):
    """A table of a round and the match that decides it, the ``attempt``th that was drawn there, whose seeds follow from
    the ``luck`` of that number. ``reasons``: why these bots were put together, by ``formats.PairedTable``; none
    where the organiser arranged them."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="fixtures")
    table = models.PositiveIntegerField()
    match = models.OneToOneField("matches.Match", models.PROTECT, related_name="fixture")
    attempt = models.PositiveSmallIntegerField(default=1)
    luck = models.PositiveSmallIntegerField(default=1)
    reasons = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ["round__number", "table"]
        constraints = [
            models.UniqueConstraint("round", "table", name="one_fixture_per_table_of_a_round"),
            models.CheckConstraint(condition=Q(attempt__gte=1), name="fixture_is_an_attempt"),
        ]


class Bye(models.Model):
    """An entry that found no table in a round. ``reasons``: why it was this one, by ``formats.PairedBye``; empty
    where the organiser arranged it."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="byes")
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="byes")
    points = models.PositiveSmallIntegerField()
    reasons = models.JSONField()

    class Meta:
        ordering = ["round__number", "entry"]
        constraints = [models.UniqueConstraint("round", "entry", name="one_bye_per_entry_of_a_round")]
