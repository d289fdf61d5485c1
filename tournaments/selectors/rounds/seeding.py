"""The order of the entries of a stage, the best seed first."""

from collections.abc import Iterable

from games.lots import lots_drawn
from tournaments.match_secrets import luck_of
from tournaments.models import Entry, Stage


def seeding_of(stage: Stage) -> list[int]:
    """Return the entries by the seeds kept for the stage; where there are none, by lot, whoever comes later
    included.
    """
    seeds = list(stage.seeds.values_list("entry_id", flat=True))
    if seeds:
        return seeds
    entries = Entry.objects.filter(tournament=stage.tournament_id, version__isnull=False)
    return by_lot(stage, entries.values_list("pk", flat=True))


def by_lot(stage: Stage, entries: Iterable[int]) -> list[int]:
    """Return the entries in the order of the lots for seeding that the tournament's luck gives."""
    return lots_drawn(luck_of(stage.tournament), "seeding", entries)
