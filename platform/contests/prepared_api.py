"""Files that a worker makes, over the API: 202 until one is ready, 200 then."""

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
from web.api_examples import shown
from web.api_view import API


@shown(state="making", detail="The file is being prepared.")
class BeingPreparedSerializer(serializers.Serializer[Any]):
    """A file that is not there yet: ask again after `Retry-After` seconds."""

    state = serializers.ChoiceField(choices=["waiting", "making"], help_text="In the queue, or at work.")
    detail = serializers.CharField()


ANSWERS: Final[dict[Any, Any]] = {
    (200, ZIP): OpenApiTypes.BINARY,
    202: BeingPreparedSerializer,
    **problems(400, 401, 403, 404, 429, 503),
}


class PreparedExport(NamedTuple):
    """A file: how it is answered, given the request and the parts of the address, the name of its operation, and what
    it is."""

    name: str
    answer: Callable[..., HttpResponseBase]
    operation_id: str
    summary: str


class _PreparedView(API):
    permission_classes = (IsAuthenticated,)
    file: ClassVar[PreparedExport]

    def get(self, request: Request, **address: Any) -> HttpResponseBase:
        return self.file.answer(request._request, **address)


def prepared_paths(below: str, *files: PreparedExport) -> list[URLPattern]:
    """Return the address of each file ``below`` a path."""
    return [path(f"{below}/{one.name}", _view(one).as_view(), name=one.name) for one in files]


def _view(file: PreparedExport) -> type[_PreparedView]:
    described = extend_schema(operation_id=file.operation_id, summary=file.summary, responses=ANSWERS)
    doc = f"{file.summary}. It is prepared when somebody asks for it: the answer is 202 until it is ready."
    view = type("PreparedView", (_PreparedView,), {"__doc__": doc, "file": file})
    made: type[_PreparedView] = extend_schema_view(get=described)(view)
    return made
