"""Data sets over the API: the licence that is offered, and the two files of each."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.http.response import HttpResponseBase
from rest_framework import serializers

from contests.exports_api import PreparedExport
from matches.datasets.archive import JSON_ARCHIVE, PARQUET_ARCHIVE
from matches.datasets.event import DatasetLicence
from web.serializers import example


@example(licence="CC-BY-4.0")
class DatasetOfferSerializer(serializers.Serializer[Any]):
    """Under which licence the data set is offered; empty: not at all."""

    licence = serializers.ChoiceField(choices=DatasetLicence.choices, allow_blank=True)


def dataset_exports(
    answer: Callable[..., HttpResponseBase], operation_id: str, subject: str
) -> tuple[PreparedExport, PreparedExport]:
    """Return both files of a data set of a ``subject``, "a tournament". ``answer`` takes the request, the parts of the
    address and the ``name`` of the file."""
    kinds = (
        (JSON_ARCHIVE, operation_id, f"The data set of {subject} as JSON lines, for `peck verify`"),
        (
            PARQUET_ARCHIVE,
            f"{operation_id}_parquet",
            f"The data set of {subject} as Parquet; 404 where the site lacks pyarrow",
        ),
    )
    json_lines, parquet = (PreparedExport(name, partial(answer, name=name), *described) for name, *described in kinds)
    return json_lines, parquet
