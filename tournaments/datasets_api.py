"""The files of a tournament that a worker makes, over the API."""

from typing import Final

from contests.prepared_api import PreparedExport, prepared_paths
from matches.datasets.api import dataset_exports
from tournaments.prepared import SOURCES_ARCHIVE
from tournaments.views.datasets import dataset_file
from tournaments.views.sources import archive_file

PATHS: Final = prepared_paths(
    "<slug:slug>/export",
    *dataset_exports(dataset_file, "tournaments_export_dataset", "a tournament"),
    PreparedExport(
        SOURCES_ARCHIVE,
        archive_file,
        "tournaments_export_sources_zip",
        "The sources that the tournament has released, as one archive",
    ),
)
