"""The version that an entry plays with: the version from when entries closed, or a newer one from a later round on.

``Entry.version`` plays in the rounds that begin next. Earlier versions are stored only in the seats of matches. So if a
tournament takes new versions, the entry of a seat is found by its bot, which can enter only once.
"""

from collections.abc import Iterable
from typing import Any, Final

from django.db.models import Q, QuerySet

from bots.models import Bot, VersionState
from tournaments.models import Entry, NewVersions, Stage, Tournament

PLAYABLE: Final = Q(bot__current__state=VersionState.ACCEPTED)  # entries whose bots have a version to enter with


# What lists of bots show of an entry, its bot, its author and its version.
SHOWN: Final = (
    *("tournament_id", "is_withdrawn", "withdrawn_because", "category"),
    *("bot__name", "bot__slug", "bot__is_house", "bot__author_alias", "bot__alias_group_id"),
    *("bot__owner__username", "bot__owner__is_team", "version__bot_id", "version__number"),
)


def entries_shown(entries: QuerySet[Entry]) -> QuerySet[Entry]:
    """Return ``entries`` with bot, author and frozen version, but only the fields that lists of bots show.

    To read all fields of 100 entries would take twice as long. Each access to another field takes a query.
    """
    return entries.select_related("bot__owner", "version").only(*SHOWN)


def takes_new_entry_versions(tournament: Tournament) -> bool:
    """Return whether an entry may switch to newer versions during the tournament."""
    return tournament.new_versions != NewVersions.NEVER


def is_new_entry_version_due(stage: Stage) -> bool:
    """Return whether bots are updated for a round of ``stage`` that begins now.

    The first round of a tournament is played with the frozen versions.
    """
    tournament = stage.tournament
    if not takes_new_entry_versions(tournament):
        return False
    begun = tournament.rounds.filter(started_at__isnull=False)
    of_stage = tournament.new_versions == NewVersions.BETWEEN_STAGES and begun.filter(stage=stage).exists()
    return begun.exists() and not of_stage


def entry_by_version(tournament: Tournament, entries: QuerySet[Entry] | None = None) -> dict[int, int]:
    """Return the entry of each version that plays or has played. ``entries`` restricts the result to these entries.

    If the tournament takes new versions, the result has all versions of the bots.
    """
    chosen = tournament.entries.all() if entries is None else entries
    version = "bot__versions" if takes_new_entry_versions(tournament) else "version"
    return dict(chosen.filter(version__isnull=False).values_list(version, "pk"))


def entries_with_versions(tournament: Tournament, versions: Iterable[int] | QuerySet[Any]) -> Q:
    """Return the condition for entries that play, or have played, with one of these versions."""
    if takes_new_entry_versions(tournament):
        return Q(bot__in=Bot.objects.filter(versions__in=versions), version__isnull=False)
    return Q(version__in=versions)
