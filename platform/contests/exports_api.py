"""Downloads of a contest over the API. There is one operation for each file of its pages.

Some files are prepared by a worker. For these, POST orders the file. GET returns 202 until the file is ready, then 200.
"""

from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Final, NamedTuple

from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request

from web.api_errors import api_error_descriptions
from web.api_examples import api_example_of_file, api_example_shown
from web.api_view import API

FILE_ERRORS: Final = api_error_descriptions(400, 401, 403, 404, 429, 503)
CSV: Final = "text/csv"
JSON: Final = "application/json"
JSON_LINES: Final = "application/x-ndjson"
ZIP: Final = "application/zip"
CONTENT: Final = {
    JSON: OpenApiTypes.OBJECT,
    CSV: OpenApiTypes.STR,
    JSON_LINES: OpenApiTypes.STR,
    ZIP: OpenApiTypes.BINARY,
}


class ExportFile(NamedTuple):
    """A file: the function that makes it, its media type, and its description.

    The function takes the request, the parts of the address, and the name of the file.
    """

    name: str
    page: Callable[..., HttpResponseBase]
    media_type: str
    summary: str
    shown: Any = None


class _ExportView(API):
    file: ClassVar[ExportFile]

    def get(self, request: Request, **address: Any) -> HttpResponseBase:
        return self.file.page(request, **address, name=self.file.name)


def exports_api_paths(files: Iterable[ExportFile], below: str, prefix: str) -> list[URLPattern]:
    """Return the URL pattern of each file. Addresses begin with ``below``, and operation ids with ``prefix``."""
    return [path(f"{below}/{one.name}", _view(one, prefix).as_view(), name=one.name) for one in files]


def _view(file: ExportFile, prefix: str) -> type[_ExportView]:
    described = extend_schema(
        operation_id=f"{prefix}_{file.name.replace('.', '_')}",
        responses={(200, file.media_type): CONTENT[file.media_type], **FILE_ERRORS},
        examples=api_example_of_file(file.media_type, file.shown),
    )
    view = type("ExportView", (_ExportView,), {"__doc__": file.summary, "file": file})
    made: type[_ExportView] = extend_schema_view(get=described)(view)
    return made


@api_example_shown(state="making", detail="The file is being prepared.")
class PreparingSerializer(serializers.Serializer[Any]):
    """The progress of a file. Request it again after `Retry-After` seconds."""

    state = serializers.ChoiceField(
        choices=["waiting", "making", "ready"], help_text="In the queue, being made, or ready."
    )
    detail = serializers.CharField()


COMING: Final[dict[Any, Any]] = {202: PreparingSerializer, **api_error_descriptions(400, 401, 403, 404, 429, 503)}
ORDERED: Final = {200: PreparingSerializer, **COMING}


class PreparedExport(NamedTuple):
    """A file that a worker prepares.

    It has the function that answers a request, the operation id, the description, the media type, and an example, which
    is None for binary files. The function takes the request and the parts of the address.
    """

    name: str
    answer: Callable[..., HttpResponseBase]
    operation_id: str
    summary: str
    media_type: str = ZIP
    shown: Any = None


class _PreparedView(API):
    permission_classes = (IsAuthenticated,)
    write_scope = "read"  # an order changes nothing but the queue
    file: ClassVar[PreparedExport]

    def get(self, request: Request, **address: Any) -> HttpResponseBase:
        return self.file.answer(request._request, **address)

    def post(self, request: Request, **address: Any) -> HttpResponseBase:
        return self.file.answer(request._request, **address)


def prepared_exports_api_paths(below: str, *files: PreparedExport) -> list[URLPattern]:
    """Return the URL pattern of each file. Addresses begin with ``below``."""
    return [path(f"{below}/{one.name}", _prepared_view(one).as_view(), name=one.name) for one in files]


def _prepared_view(file: PreparedExport) -> type[_PreparedView]:
    answers = {(200, file.media_type): CONTENT[file.media_type], **COMING}
    shown = api_example_of_file(file.media_type, file.shown)
    sent = extend_schema(operation_id=file.operation_id, summary=file.summary, responses=answers, examples=shown)
    ordered = extend_schema(
        operation_id=f"{file.operation_id}_prepare",
        summary=f"Have it prepared: {file.summary}",
        request=None,
        responses=ORDERED,
    )
    doc = f"{file.summary}. POST orders it; GET answers 202 until it is ready, and 404 if nobody has ordered it."
    view = type("PreparedView", (_PreparedView,), {"__doc__": doc, "file": file})
    made: type[_PreparedView] = extend_schema_view(get=sent, post=ordered)(view)
    return made
