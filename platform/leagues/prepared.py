"""The file of a season that a worker makes: its data set."""

from collections.abc import Iterator
from typing import Final

from leagues.models import Season
from leagues.selectors.datasets import has_season_dataset, season_dataset_event, season_dataset_facts
from matches.datasets.archive import dataset_archive
from web.prepared.services import Beat, PreparedKind, prepared_register, revision_of

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
