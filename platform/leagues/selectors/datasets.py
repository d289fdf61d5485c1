"""The data set of a season: what it is of, and whether there is one.

The file of a season that a worker makes: its data set.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from leagues.models import LeagueMatch, Season
from leagues.models.season import SEASON
from matches.datasets.archive import dataset_archive
from matches.datasets.rows import DatasetEvent
from matches.datasets.rows import games_counted as counted
from matches.models import Match, MatchState
from web.email import link_to
from web.prepared.services import Beat, PreparedKind, prepared_register, revision_of

AT_ONCE: Final = 500  # matches whose numbers are in memory


def has_season_dataset(season: Season) -> bool:
    """Tell whether there is a data set for who may see the league: the season is over, and it has a licence."""
    return not season.is_running and season.dataset_licence != ""


def season_games_counted(season: Season) -> int:
    return counted(Match.objects.filter(league_match__season=season))


def season_dataset_event(season: Season) -> DatasetEvent:
    """Return what the data set of a season is made of: its rating matches, in the order in which they were chosen. An
    entry is known by its version, as in the proof."""

    def places() -> Iterator[tuple[int, int, int]]:
        rows = LeagueMatch.objects.filter(season=season, match__state=MatchState.FINISHED).order_by("number")
        last = 0
        while found := list(rows.filter(number__gt=last).values_list("match", "number")[:AT_ONCE]):
            last = found[-1][1]
            yield from ((match, number, 0) for match, number in found)

    def entries(versions: Iterable[int]) -> Mapping[int, int]:
        return {version: version for version in versions}

    league = season.league
    return DatasetEvent(
        contest=str(SEASON.numbered(season.pk)),
        name=str(season),
        slug=f"{league.slug}-{season.number}",
        page=link_to("leagues:season", league.slug, season.number),
        by=league.organiser.get_username(),
        ruleset=league.ruleset,
        licence=season.dataset_licence,
        finished_at=season.finished_at,
        places=places,
        entries=entries,
    )


def season_dataset_facts(season: Season) -> tuple[Any, ...]:
    """Return what moves when another data set would be made: the licence, and the names that are in it."""
    event = season_dataset_event(season)
    names = list(season.season_entries.order_by("pk").values_list("version", "version__bot__name"))
    return (event.name, event.page, event.by, event.licence, event.finished_at, names)


SEASON_DATASET: Final = "season-dataset"


def register() -> None:
    """Let data sets of seasons be prepared."""
    prepared_register(SEASON_DATASET, PreparedKind(_revision, _made))


def _revision(pk: int) -> str | None:
    season = Season.objects.select_related("league__organiser").filter(pk=pk).first()
    return revision_of(season_dataset_facts(season)) if season and has_season_dataset(season) else None


def _made(pk: int, name: str, beat: Beat) -> Iterator[bytes]:
    season = Season.objects.select_related("league__organiser").get(pk=pk)
    return dataset_archive(season_dataset_event(season), name, beat)
