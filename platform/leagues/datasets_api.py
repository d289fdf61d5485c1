"""The files of a season that a worker makes, over the API."""

from functools import partial
from typing import Final

from contests.prepared_api import PreparedExport, prepared_paths
from leagues.views.datasets import dataset_file
from matches.datasets.archive import JSON_ARCHIVE, PARQUET_ARCHIVE

PATHS: Final = prepared_paths(
    "<slug:slug>/seasons/<int:number>/export",
    PreparedExport(
        JSON_ARCHIVE,
        partial(dataset_file, name=JSON_ARCHIVE),
        "leagues_seasons_export_dataset",
        "The data set of a season as JSON lines, for `peck verify`",
    ),
    PreparedExport(
        PARQUET_ARCHIVE,
        partial(dataset_file, name=PARQUET_ARCHIVE),
        "leagues_seasons_export_dataset_parquet",
        "The data set of a season as Parquet; 404 where the site lacks pyarrow",
    ),
)
