"""The data set of a tournament: what it is of, and whether there is one."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from matches.datasets.event import DatasetEvent
from matches.datasets.rows import games_counted as counted
from matches.models import Match, MatchState
from tournaments.contest import TOURNAMENT
from tournaments.models import Publication, Tournament, TournamentState
from tournaments.selectors.entering.versions import entries_with, entry_by_version
from web.email import link_to


def has_dataset(tournament: Tournament) -> bool:
    """Tell whether there is a data set for who may see the results: it is over, shown, and has a licence."""
    is_shown = tournament.state == TournamentState.FINISHED and tournament.publication == Publication.EVERYONE
    return is_shown and tournament.dataset_licence != ""


def games_counted(tournament: Tournament) -> int:
    return counted(_matches(tournament))


def dataset_event(tournament: Tournament) -> DatasetEvent:
    """Return what the data set of a tournament is made of."""

    def places() -> Iterator[tuple[int, int, int]]:
        matches = _matches(tournament).order_by("fixture__round__number", "fixture__table")
        yield from list(matches.values_list("pk", "fixture__round__number", "fixture__table"))

    def entries(versions: Iterable[int]) -> Mapping[int, int]:
        return entry_by_version(tournament, tournament.entries.filter(entries_with(tournament, versions)))

    return DatasetEvent(
        contest=str(TOURNAMENT.numbered(tournament.pk)),
        name=tournament.name,
        slug=tournament.slug,
        page=link_to("tournaments:detail", tournament.slug),
        by=tournament.organiser.get_username(),
        ruleset=tournament.ruleset,
        licence=tournament.dataset_licence,
        finished_at=tournament.finished_at,
        places=places,
        entries=entries,
    )


def dataset_facts(tournament: Tournament) -> tuple[Any, ...]:
    """Return what moves when another data set would be made: results, the licence, and the names that are in it."""
    event, entries = dataset_event(tournament), tournament.entries.filter(version__isnull=False)
    names = list(entries.order_by("pk").values_list("pk", "version__number", "version__bot__name"))
    said = (event.name, event.page, event.by, event.licence, event.finished_at)
    return (tournament.revision, tournament.rulings.count(), said, names)


def _matches(tournament: Tournament) -> Any:
    return Match.objects.filter(fixture__round__tournament=tournament, state=MatchState.FINISHED)
