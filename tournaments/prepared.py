"""The files of a tournament that a worker makes: its data set, and its released sources in one archive."""

from collections.abc import Iterator
from typing import Final

from matches.datasets.archive import dataset_archive
from tournaments.models import Tournament
from tournaments.selectors.pages.exports import dataset_event, dataset_facts, has_dataset
from tournaments.selectors.pages.sources import has_released_sources, sources_archive, sources_facts
from web.prepared.services import Beat, PreparedKind, prepared_register, revision_of

DATASET, SOURCES = ("tournament-dataset", "tournament-sources")
SOURCES_ARCHIVE: Final = "sources.zip"


def register() -> None:
    """Let these files be prepared."""
    prepared_register(DATASET, PreparedKind(_dataset_revision, _dataset))
    prepared_register(SOURCES, PreparedKind(_sources_revision, _sources))


def _found(pk: int) -> Tournament | None:
    found: Tournament | None = Tournament.objects.select_related("organiser").filter(pk=pk).first()
    return found


def _dataset_revision(pk: int) -> str | None:
    tournament = _found(pk)
    return revision_of(dataset_facts(tournament)) if tournament and has_dataset(tournament) else None


def _dataset(pk: int, name: str, beat: Beat) -> Iterator[bytes]:
    return dataset_archive(dataset_event(Tournament.objects.get(pk=pk)), name, beat)


def _sources_revision(pk: int) -> str | None:
    tournament = _found(pk)
    return revision_of(sources_facts(tournament)) if tournament and has_released_sources(tournament) else None


def _sources(pk: int, _name: str, beat: Beat) -> Iterator[bytes]:
    return sources_archive(Tournament.objects.get(pk=pk), beat)
