"""Files of a contest over the API: the same that its pages offer, an operation for each."""

from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Final, NamedTuple

from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request

from web.api_errors import problems
from web.api_examples import file_example
from web.api_view import API

FILE_ERRORS: Final = problems(400, 401, 403, 404, 429, 503)
CSV: Final = "text/csv"
JSON: Final = "application/json"
ZIP: Final = "application/zip"
CONTENT: Final = {JSON: OpenApiTypes.OBJECT, CSV: OpenApiTypes.STR, ZIP: OpenApiTypes.BINARY}


class ExportFile(NamedTuple):
    """A file: how the page makes it, given the request, the parts of the address and the name; of which type it is, and
    what it is.
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


def export_paths(files: Iterable[ExportFile], below: str, prefix: str) -> list[URLPattern]:
    """Return the address of each file ``below`` a path; the schema calls its operation ``prefix`` and the name."""
    return [path(f"{below}/{one.name}", _view(one, prefix).as_view(), name=one.name) for one in files]


def _view(file: ExportFile, prefix: str) -> type[_ExportView]:
    described = extend_schema(
        operation_id=f"{prefix}_{file.name.replace('.', '_')}",
        responses={(200, file.media_type): CONTENT[file.media_type], **FILE_ERRORS},
        examples=file_example(file.media_type, file.shown),
    )
    view = type("ExportView", (_ExportView,), {"__doc__": file.summary, "file": file})
    made: type[_ExportView] = extend_schema_view(get=described)(view)
    return made
