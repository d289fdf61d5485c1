"""The files of a tournament that a worker makes, over the API."""

from functools import partial
from typing import Final

from contests.prepared_api import PreparedExport, prepared_paths
from matches.datasets.archive import JSON_ARCHIVE, PARQUET_ARCHIVE
from tournaments.prepared import SOURCES_ARCHIVE
from tournaments.views.datasets import dataset_file
from tournaments.views.sources import archive_file

PATHS: Final = prepared_paths(
    "<slug:slug>/export",
    PreparedExport(
        JSON_ARCHIVE,
        partial(dataset_file, name=JSON_ARCHIVE),
        "tournaments_export_dataset",
        "The data set of a tournament as JSON lines, for `peck verify`",
    ),
    PreparedExport(
        PARQUET_ARCHIVE,
        partial(dataset_file, name=PARQUET_ARCHIVE),
        "tournaments_export_dataset_parquet",
        "The data set of a tournament as Parquet; 404 where the site lacks pyarrow",
    ),
    PreparedExport(
        SOURCES_ARCHIVE,
        archive_file,
        "tournaments_export_sources_zip",
        "The sources that the tournament has released, as one archive",
    ),
)
