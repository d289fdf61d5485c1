"""Files that a worker makes, over the API: POST has one prepared, GET answers 202 until it is ready and 200 then."""

from collections.abc import Callable
from typing import Any, ClassVar, Final, NamedTuple

from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request

from contests.exports_api import ZIP
from web.api_errors import problems
from web.api_examples import example_shown
from web.api_view import API


@example_shown(state="making", detail="The file is being prepared.")
class PreparingSerializer(serializers.Serializer[Any]):
    """How far a file is: GET it after `Retry-After` seconds."""

    state = serializers.ChoiceField(
        choices=["waiting", "making", "ready"], help_text="In the queue, at work, or to be had."
    )
    detail = serializers.CharField()


COMING: Final[dict[Any, Any]] = {202: PreparingSerializer, **problems(400, 401, 403, 404, 429, 503)}
ORDERED: Final = {200: PreparingSerializer, **COMING}
SENT: Final = {(200, ZIP): OpenApiTypes.BINARY, **COMING}


class PreparedExport(NamedTuple):
    """A file: how it is answered, given the request and the parts of the address, the name of its operation, and what
    it is."""

    name: str
    answer: Callable[..., HttpResponseBase]
    operation_id: str
    summary: str


class _PreparedView(API):
    permission_classes = (IsAuthenticated,)
    write_scope = "read"  # an order changes nothing but a place in the queue
    file: ClassVar[PreparedExport]

    def get(self, request: Request, **address: Any) -> HttpResponseBase:
        return self.file.answer(request._request, **address)

    def post(self, request: Request, **address: Any) -> HttpResponseBase:
        return self.file.answer(request._request, **address)


def prepared_paths(below: str, *files: PreparedExport) -> list[URLPattern]:
    """Return the address of each file ``below`` a path."""
    return [path(f"{below}/{one.name}", _view(one).as_view(), name=one.name) for one in files]


def _view(file: PreparedExport) -> type[_PreparedView]:
    sent = extend_schema(operation_id=file.operation_id, summary=file.summary, responses=SENT)
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
