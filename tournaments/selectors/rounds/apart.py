"""Groups of bots that are kept apart from each other."""

from collections import defaultdict
from collections.abc import Sequence

from django.db.models import QuerySet

from tournaments.models import KeepApart, KeptGroup, Tournament


def kin_of(tournament: Tournament) -> Sequence[frozenset[int]]:
    """Return the entries of each group, in the order in which the groups were made."""
    return _groups(KeptGroup.objects.filter(tournament=tournament))


def authors_of(tournament: Tournament) -> Sequence[frozenset[int]]:
    """Return the same of those groups that are the bots of an author, of a tournament that keeps these apart."""
    if tournament.keep_apart != KeepApart.AUTHOR:
        return ()
    return _groups(KeptGroup.objects.filter(tournament=tournament, is_of_author=True))


def _groups(chosen: QuerySet[KeptGroup]) -> Sequence[frozenset[int]]:
    members: defaultdict[int, set[int]] = defaultdict(set)
    groups = KeptGroup.entries.through.objects.filter(keptgroup__in=chosen).order_by("keptgroup", "entry")
    for group, entry in groups.values_list("keptgroup", "entry"):
        members[group].add(entry)
    return [frozenset(group) for group in members.values()]
