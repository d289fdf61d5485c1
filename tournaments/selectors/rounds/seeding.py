"""The order of the entries of a stage, the best seed first."""

from collections.abc import Iterable

from tournaments import facts
from tournaments.match_secrets import luck_of
from tournaments.models import Entry, Stage


def seeding_of(stage: Stage) -> list[int]:
    """Return the entries by the seeds kept for the stage; where there are none, in the order of ``first_seeds``,
    whoever comes later included.
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
