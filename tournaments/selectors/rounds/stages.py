"""The stages of a tournament: their seeds, which one comes next, and whether a round is undecided."""

from collections.abc import Iterable

from django.db.models import Subquery

from matches.models import UNDECIDED
from tournaments import facts
from tournaments.match_secrets import luck_of
from tournaments.models import Entry, Fixture, Round, Stage
from tournaments.play_off import play_off_after


def seeding_of(stage: Stage) -> list[int]:
    """Return the entries by the seeds kept for the stage; where there are none, in the order of ``first_seeds``,
    later entrants included.
    """
    seeds = list(stage.seeds.values_list("entry_id", flat=True))
    if seeds:
        return seeds
    entries = Entry.objects.filter(tournament=stage.tournament_id, version__isnull=False)
    places = dict(entries.values_list("pk", "ladder_place"))
    return facts.first_seeds(luck_of(stage.tournament), places, places)


def first_seeds(stage: Stage, entries: Iterable[int]) -> list[int]:
    """Return these entries by the places that they came with from a ladder, the others after them by lot."""
    placed = Entry.objects.filter(tournament=stage.tournament_id, ladder_place__isnull=False)
    places = dict(placed.values_list("pk", "ladder_place"))
    return facts.first_seeds(luck_of(stage.tournament), entries, places)


def stage_after(stage: Stage) -> Stage | None:
    """Return the stage that was announced to follow, or the play-off that may; not saved if it has never begun. None
    where the tournament is over after it."""
    tournament = stage.tournament
    stages = list(tournament.stages.order_by("number"))
    following = next((one for one in stages if one.number == stage.number + 1), None)
    if following is not None:
        return following
    terms = play_off_after(
        stage.terms,
        announced=sum(not one.kind.is_play_off for one in stages),
        tie_breaks=tournament.tie_breaks,
        ruleset=tournament.ruleset,
        options=tournament.options,
    )
    if terms is None:
        return None
    return Stage(
        tournament=tournament,
        number=terms.number,
        format=terms.format,
        players_per_table=terms.players_per_table,
        smallest_table=terms.smallest_table,
        blocks=terms.blocks,
        stopping=terms.stopping,
    )


def is_round_undecided(tournament_id: int) -> bool:
    """Tell whether a match of the last round is undecided: after most matches one is."""
    last = Round.objects.filter(tournament=tournament_id).order_by("-number").values("pk")[:1]
    return Fixture.objects.filter(round=Subquery(last), match__state__in=UNDECIDED).exists()
