"""The files of a tournament's data set over the API."""

from typing import Final

from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request

from contests.exports_api import ZIP
from tournaments.views.datasets import dataset_file
from web.api_errors import problems
from web.api_view import API

ANSWERS: Final = {(200, ZIP): OpenApiTypes.BINARY, **problems(400, 401, 403, 404, 429, 503)}


class DatasetView(API):
    """The games of a tournament and the decisions in them as JSON lines, for `peck verify`."""

    name = "dataset.zip"
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="tournaments_export_dataset",
        summary="The data set of a tournament as JSON lines",
        responses=ANSWERS,
    )
    def get(self, request: Request, slug: str) -> HttpResponseBase:
        return dataset_file(request._request, slug, self.name)


class ParquetView(API):
    """The same as Parquet; 404 where the site lacks pyarrow."""

    name = "dataset-parquet.zip"
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="tournaments_export_dataset_parquet",
        summary="The data set of a tournament as Parquet",
        responses=ANSWERS,
    )
    def get(self, request: Request, slug: str) -> HttpResponseBase:
        return dataset_file(request._request, slug, self.name)
