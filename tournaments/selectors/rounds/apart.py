"""Groups of bots that are kept apart from each other."""

from collections import defaultdict
from collections.abc import Sequence

from tournaments.models import KeptGroup, Tournament


def kin_of(tournament: Tournament) -> Sequence[frozenset[int]]:
    """Return the entries of each group, in the order in which the groups were made."""
    members: defaultdict[int, set[int]] = defaultdict(set)
    groups = KeptGroup.entries.through.objects.filter(keptgroup__tournament=tournament).order_by("keptgroup", "entry")
    for group, entry in groups.values_list("keptgroup", "entry"):
        members[group].add(entry)
    return [frozenset(group) for group in members.values()]
