"""The stages of a tournament, their rounds, and the tables and byes of each round with their reasons."""

from collections.abc import Mapping
from typing import Any

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from matches.models import Broadcast
from tournaments.formats.draw_position import StageTerms
from tournaments.formats.format import Format
from tournaments.formats.registry import FIRST_OFFERED, FORMATS
from tournaments.models.entry import Entry


def format_choices() -> list[tuple[str, Any]]:
    """Return the codes and names of all formats.

    The field calls this function for its choices, so that a new format needs no migration.
    """
    return [(one.code, _(one.label)) for one in FORMATS.values()]


class StageError(ValueError):
    """The format cannot be played with these terms. Forms check this before, and show each problem beside its field."""


class Stage(models.Model):
    """A stage: the rounds of one format.

    All entries play in the first stage. In a later stage, the best ``entrants`` of the stage before play; if it is 0,
    all of them. They start without points.
    """

    tournament = models.ForeignKey("tournaments.Tournament", models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField(default=1)
    format = models.CharField(_("format"), max_length=20, choices=format_choices, default=FIRST_OFFERED)
    rounds = models.PositiveSmallIntegerField(_("rounds"), default=0)  # 0: computed from the number of bots
    drawn = models.PositiveSmallIntegerField(default=0)  # rounds drawn so far
    entrants = models.PositiveSmallIntegerField(_("bots that go on to it"), default=0)
    players_per_table = models.PositiveSmallIntegerField(_("players per table"), default=2)
    smallest_table = models.PositiveSmallIntegerField(default=2)  # the seats of a table that is not full
    blocks = models.PositiveIntegerField(_("blocks per match"), default=2)  # with a stopping rule: the maximum
    stopping = models.JSONField(default=dict, blank=True)  # as in ``Match.stopping``; {}: all blocks are played
    has_third_place = models.BooleanField(_("match for the third place"), default=False)  # only single elimination
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
        """Save the stage if its format can be played with its terms.

        Raises:
            StageError: the format cannot be played with these terms.
        """
        if kwargs.get("update_fields") is None:
            kind = FORMATS.get(self.format)
            problems = [f"no format has the code {self.format!r}"] if kind is None else list(kind.problems(self.terms))
            if problems:
                raise StageError("; ".join(problems))
        super().save(*args, **kwargs)

    @property
    def kind(self) -> Format:
        """The format of the stage."""
        return FORMATS[self.format]

    @property
    def terms(self) -> StageTerms:
        """The announced terms of the stage, for its format."""
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
        """The values for the templates of its format."""
        return self.kind.facts(self.terms)

    @property
    def facts_template(self) -> str:
        """The template for the part of the announcement that describes the format."""
        return f"formats/{self.kind.family}/facts.html"

    @property
    def has_fide_tie_breaks(self) -> bool:
        """Whether FIDE's tie-breaks apply: rounds are drawn by standings, at tables of two."""
        return self.kind.draws_by_standings and self.players_per_table == 2

    @property
    def has_bracket_to_show(self) -> bool:
        return self.kind.has_bracket and self.started_at is not None

    @property
    def has_large_tables(self) -> bool:
        """Whether tables of the stage have more than two players."""
        return self.players_per_table > 2

    @property
    def is_young(self) -> bool:
        """Whether at most half of the stage's rounds are drawn."""
        return 2 * self.drawn <= self.rounds

    @property
    def smallest_field(self) -> int:
        """The smallest number of entries that can play."""
        return self.kind.smallest_field(self.terms)

    @property
    def bye_points(self) -> int:
        """The points for a bye, which are as many as for beating everyone at a full table."""
        return self.terms.bye_points


class Seed(models.Model):
    """The seed of an entry in a stage. Number 1 is the best.

    In a later stage, seeds are in the order of the ranks in the stage before. In a knockout that is the first stage,
    they are in the order of the places on a ladder; a lot decides for entries without a place. Bots of one author may
    be moved apart.
    """

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
    """A round. Rounds are numbered through all stages.

    The matches of a round are held until it begins; then they are queued for the workers. ``started_at`` is when the
    round began, ``starts_at`` when it begins automatically. ``premieres_at`` is the time from which its matches are
    shown, at the tempo ``tempo``. If ``tempo`` is empty, the tempo of the tournament applies. ``luck`` is the number of
    the luck from which the round was drawn.

    If entries leave or come back while the round waits, it is drawn again. ``arrangements`` has its earlier tables, the
    latest last: see ``selectors.rounds.stage_draws``. ``spare`` has the matches that currently have no fixture, by
    table.
    """

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
        """The tempo of the round's broadcast."""
        return self.tempo or self.tournament.tempo


class Fixture(models.Model):
    """A table of a round with its current match.

    The matches of a table are numbered from 1; ``attempt`` is the number of the current one. Its seeds are derived from
    the luck with the number ``luck``. ``reasons`` says why these bots meet, as the format stores it, e.g.
    ``formats.pairings.PairedTable``. It is None if there is no reason, or if the organiser arranged the table.
    """

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
    """An entry without a table in a round.

    ``reasons`` says why this entry got the bye, as in ``formats.pairings.PairedBye``. It is empty if the organiser
    arranged the bye.
    """

    round = models.ForeignKey(Round, models.CASCADE, related_name="byes")
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="byes")
    points = models.PositiveSmallIntegerField()
    reasons = models.JSONField()

    class Meta:
        ordering = ["round__number", "entry"]
        constraints = [models.UniqueConstraint("round", "entry", name="one_bye_per_entry_of_a_round")]
