"""A tournament is played in stages, a stage in rounds, a round at tables: who met whom, and why."""

from collections.abc import Mapping
from typing import Any

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from matches.models import Broadcast
from tournaments.formats.format import Format
from tournaments.formats.position import StageTerms
from tournaments.formats.registry import FIRST_OFFERED, FORMATS
from tournaments.models.entry import Entry


def format_choices() -> list[tuple[str, Any]]:
    """Return the codes and names of all formats; asked again each time, so that one more needs no migration."""
    return [(one.code, _(one.label)) for one in FORMATS.values()]


class StageError(ValueError):
    """A stage that its format does not play: forms refuse it before, each problem beside its field."""


class Stage(models.Model):
    """One format from its first round to its last. The first stage is played by all entries, a later one by the best
    ``entrants`` of the stage before (all of them, if 0), who start from nothing."""

    tournament = models.ForeignKey("tournaments.Tournament", models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField(default=1)
    format = models.CharField(_("format"), max_length=20, choices=format_choices, default=FIRST_OFFERED)
    rounds = models.PositiveSmallIntegerField(_("rounds"), default=0)  # announced; 0 where they follow from the size
    drawn = models.PositiveSmallIntegerField(default=0)  # rounds so far
    entrants = models.PositiveSmallIntegerField(_("bots that go on to it"), default=0)
    players_per_table = models.PositiveSmallIntegerField(_("players per table"), default=2)
    smallest_table = models.PositiveSmallIntegerField(default=2)  # of a Swiss or heats whose entries do not divide
    blocks = models.PositiveIntegerField(_("blocks per match"), default=2)  # with a stopping rule the most there may be
    stopping = models.JSONField(default=dict, blank=True)  # as matches keep it; {}: every match plays all its blocks
    has_third_place = models.BooleanField(_("match for the third place"), default=False)  # of a single elimination
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint("tournament", "number", name="stage_number_unique_per_tournament"),
            models.CheckConstraint(condition=Q(players_per_table__range=(2, 7)), name="stage_table_size"),
            models.CheckConstraint(
                condition=Q(smallest_table__gte=2, smallest_table__lte=F("players_per_table")),
                name="stage_smallest_table",
            ),
            models.CheckConstraint(condition=~Q(format=""), name="stage_has_a_format"),
            models.CheckConstraint(
                condition=Q(rounds=0) | Q(drawn__lte=F("rounds")), name="stage_draws_no_more_rounds"
            ),
            models.CheckConstraint(condition=Q(blocks__gte=1), name="stage_has_a_block"),
            models.CheckConstraint(
                condition=Q(finished_at__isnull=True) | Q(started_at__isnull=False),
                name="stage_finishes_after_its_start",
            ),
            models.CheckConstraint(
                condition=Q(drawn=0) | Q(started_at__isnull=False), name="stage_draws_after_its_start"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament}, stage {self.number}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save it if its format can be played so.

        Raises:
            StageError: it cannot.
        """
        if kwargs.get("update_fields") is None:
            kind = FORMATS.get(self.format)
            problems = [f"no format has the code {self.format!r}"] if kind is None else list(kind.problems(self.terms))
            if problems:
                raise StageError("; ".join(problems))
        super().save(*args, **kwargs)

    @property
    def kind(self) -> Format:
        """What its format is."""
        return FORMATS[self.format]

    @property
    def terms(self) -> StageTerms:
        """As announced, for its format."""
        return StageTerms(
            number=self.number,
            format=self.format,
            rounds=self.rounds,
            entrants=self.entrants,
            players_per_table=self.players_per_table,
            smallest_table=self.smallest_table,
            blocks=self.blocks,
            stopping=self.stopping,
            third_place=self.has_third_place,
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        """What the templates of its format show."""
        return self.kind.facts(self.terms)

    @property
    def facts_template(self) -> str:
        """What the announcement says of it beside what it says of all formats."""
        return f"formats/{self.kind.family}/facts.html"

    @property
    def has_fide_tie_breaks(self) -> bool:
        """It is drawn by standings for two, as what FIDE has rules for."""
        return self.kind.draws_by_standings and self.players_per_table == 2

    @property
    def has_bracket_to_show(self) -> bool:
        return self.kind.has_bracket and self.started_at is not None

    @property
    def has_large_tables(self) -> bool:
        """For more than two players."""
        return self.players_per_table > 2

    @property
    def is_young(self) -> bool:
        """At most half of its rounds are drawn."""
        return 2 * self.drawn <= self.rounds

    @property
    def smallest_field(self) -> int:
        """The fewest entries that can play."""
        return self.kind.smallest_field(self.terms)

    @property
    def bye_points(self) -> int:
        """What a bye is worth: as much as beating everyone at a full table."""
        return self.terms.bye_points


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
    ``premieres_at``: when all its matches are to be shown from, at ``tempo``; without one the tournament's holds.
    ``luck``: the number of the luck that it was drawn from. ``arrangements``: how its tables stood before somebody
    left or came back while it waited, the last one last, see ``selectors.waiting``; ``spare``: by table, matches that
    have no bots for the moment."""

    tournament = models.ForeignKey("tournaments.Tournament", models.CASCADE, related_name="rounds")
    stage = models.ForeignKey(Stage, models.CASCADE, related_name="played")
    number = models.PositiveIntegerField()
    luck = models.PositiveSmallIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    starts_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    arrangements = models.JSONField(default=list, blank=True)
    spare = models.JSONField(default=dict, blank=True)
    premieres_at = models.DateTimeField(null=True, blank=True)
    tempo = models.CharField(max_length=10, choices=Broadcast.choices, default=Broadcast.NONE, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint("tournament", "number", name="round_number_unique_per_tournament"),
            models.CheckConstraint(condition=Q(tempo__in=Broadcast.values), name="round_tempo_known"),
            models.CheckConstraint(
                condition=Q(premieres_at__isnull=True, tempo="") | (Q(premieres_at__isnull=False) & ~Q(tempo="")),
                name="round_premiere_has_a_tempo",
            ),
        ]

    @property
    def shown_at(self) -> str:
        """The tempo at which its matches are broadcast."""
        return self.tempo or self.tournament.tempo


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
