"""Base classes of the API's views: parsing requests, paginating lists, and describing both in the OpenAPI schema.

The apps derive their views from these: a view has a ``serializer_class``, an optional ``query``, and a docstring whose
first line is its summary in the OpenAPI page.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from functools import partial
from inspect import getdoc
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers, status
from rest_framework.exceptions import AuthenticationFailed, NotFound, ParseError
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.pagination import BasePagination, CursorPagination, PageNumberPagination
from rest_framework.parsers import BaseParser, FormParser, JSONParser, MultiPartParser
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from games.version import VERSION
from web.api_errors import Refused, api_error_descriptions, api_error_response
from web.idempotency import HEADER, PARAMETER, idempotent_answer
from web.limits import AuthorThrottle
from web.page_cache import CLOCK, cache_page_for
from web.visits import ANY

KIB: Final = 1024
IF_MATCH: Final = OpenApiParameter(
    "If-Match", str, OpenApiParameter.HEADER, required=True, description="The ETag of the object when it was read."
)
READ_ERRORS: Final = api_error_descriptions(400, 401, 403, 404, 503)


class JSONBody(JSONParser):
    """JSON whose texts are Unicode: half a surrogate pair could be neither stored nor returned in an answer."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        data = super().parse(stream, media_type, parser_context)
        try:
            json.dumps(data, ensure_ascii=False).encode()
        except (UnicodeEncodeError, RecursionError) as error:
            raise ParseError(
                _("A text in this request is not valid Unicode: it has half of a surrogate pair.")
            ) from error
        return data


class Described(AutoSchema):
    """The description of a read-only view in the OpenAPI page."""

    def get_summary(self) -> str:
        return self._label()[0].removesuffix(".")

    def get_description(self) -> str:  # type: ignore[override]  # as drf-spectacular has it
        return self._label()[1]

    def get_override_parameters(self) -> list[Any]:
        query = getattr(self.view, "query", Query)
        if self.method == "POST":
            return [PARAMETER]
        return [query] if self.method == "GET" and query().fields else []

    def get_response_serializers(self) -> Any:
        return {200: super().get_response_serializers(), **READ_ERRORS}

    def get_operation(self, *args: Any, **kwargs: Any) -> dict[str, Any] | None:
        """Add the token scope that a write needs."""
        operation: dict[str, Any] | None = super().get_operation(*args, **kwargs)
        if operation is not None and self.method not in SAFE_METHODS:
            view: Any = self.view
            operation["x-token-scope"] = view.write_scope
        if operation is not None and self.method == "POST":
            for status_code in ("409", "422"):
                operation["responses"].setdefault(status_code, deepcopy(operation["responses"]["400"]))
        return operation

    def map_parsers(self) -> list[str]:
        """Offer only JSON if it is accepted, so that generated clients need not choose. Forms are accepted too."""
        kinds: list[str] = super().map_parsers()
        return ["application/json"] if "application/json" in kinds else kinds

    def _label(self) -> tuple[str, str]:
        first, _gap, rest = (getdoc(type(self.view)) or "").partition("\n\n")
        return " ".join(first.split()), " ".join(rest.split())


class Query(serializers.Serializer[Any]):
    """The query parameters of an address, by name, in addition to the page of a list."""

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        known = [*self.fields, *self.context.get("paging", ())]
        for name in self.initial_data:
            if name not in known:
                detail = _("There is no parameter %(name)s here. The parameters are: %(known)s.")
                raise Refused("unknown_parameter", detail % {"name": name[:40], "known": ", ".join(known)}, name[:40])
        return attrs


class OneOf(serializers.ChoiceField):
    """A choice field whose error message lists all valid choices."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, str) and data in self.choices:
            return data
        detail = _("%(value)s is not one of the choices: %(choices)s.")
        names = ", ".join(str(choice) for choice in self.choices)
        raise serializers.ValidationError(detail % {"value": str(data)[:40], "choices": names}, code="invalid_choice")


class Number(serializers.IntegerField):
    """An integer from 1 to the largest value that every database can look up."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_value=1, max_value=2**31 - 1, required=False, **kwargs)


class _Sized(BasePagination):
    # The stubs of the two pagination classes have different types.
    page_size: Any = 50
    max_page_size: Any = 100
    page_size_query_param: Any = "page_size"

    def __init__(self) -> None:
        self.page_size_query_description = (
            f"Rows of a page, from 1 to {self.max_page_size}; {self.page_size} unless said."
        )

    def get_page_size(self, request: Request) -> int:
        asked = request.query_params.get("page_size", str(self.page_size))
        if asked.isascii() and asked.isdecimal() and len(asked) < 9 and 1 <= int(asked) <= self.max_page_size:
            return int(asked)
        detail = _("A page has from 1 to %(most)d rows.") % {"most": self.max_page_size}
        raise Refused("invalid", detail, "page_size")


class Pages(_Sized, PageNumberPagination):
    """Pagination by page numbers."""

    page_query_description = "From 1; `next` in an answer is the address of the page after it, null on the last."

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any] | None:
        try:
            return super().paginate_queryset(queryset, request, view)
        except NotFound as error:
            detail = _("There is no such page. Begin with page 1 and follow “next” until it is null.")
            raise Refused("not_found", detail, "page", status.HTTP_404_NOT_FOUND) from error


class HeavyPages(Pages):
    """Smaller pages, for rows that are large or expensive."""

    page_size = 10
    max_page_size = 25


class Cursors(_Sized, CursorPagination):
    """Pagination by cursors, newest row first, for lists that grow while they are read.

    A page begins after the last row of the previous page, so that no row is repeated or skipped. The order is not by
    time, because SQLite stores times as texts of different lengths, and the order of such texts is not that of the
    times.
    """

    ordering: str | tuple[str, ...] = "-pk"
    cursor_query_description = "Of the page, as `next` or `previous` in an answer has it; none: the first page."

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any] | None:
        try:
            return super().paginate_queryset(queryset, request, view)
        except (NotFound, ValueError, OverflowError, ValidationError) as error:  # an invented cursor
            detail = _("There is no such page. Begin without a cursor and follow “next” until it is null.")
            raise Refused("not_found", detail, "cursor", status.HTTP_404_NOT_FOUND) from error


class HeavyCursors(Cursors):
    """Smaller pages, for rows that are large or expensive."""

    page_size = 10
    max_page_size = 25


class API(APIView):
    """The base of all API views: one form of errors, a limit for bodies before they are read, and throttling of writes
    only.

    ``query`` declares the query parameters for reading; ``asked`` has their checked values. ``max_body`` is in bytes.
    ``write_scope`` is the scope that a token needs to write here. ``public_max_age`` is the number of seconds for
    which all anonymous clients get the same response, 0 for none.
    """

    schema = Described()
    parser_classes: Sequence[type[BaseParser]] = (JSONBody, FormParser, MultiPartParser)
    query: type[Query] = Query
    max_body: int = 64 * KIB
    write_scope: str = "organise"
    public_max_age: int = 0
    paging: Sequence[str] = ()  # additional query parameters of a list
    _throttles: Sequence[AuthorThrottle] = ()

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        """Return the view. It answers a GET with an ETag, or with 304 if the client has the current response."""
        view: Any = conditional_page(super().as_view(**initkwargs))
        view.public_query = ANY
        return view

    def get_exception_handler(self) -> Callable[[Exception, dict[str, Any]], Response | None]:
        return api_error_response

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        if int(request.META.get("CONTENT_LENGTH") or 0) > self.max_body:
            detail = _("The request is larger than %(limit)d KiB.") % {"limit": self.max_body // KIB}
            raise Refused("too_large", detail, "file", status.HTTP_413_REQUEST_ENTITY_TOO_LARGE)
        super().initial(request, *args, **kwargs)
        if request.method in SAFE_METHODS:
            query = self.query(data=request.query_params, context={"paging": self.paging})
            query.is_valid(raise_exception=True)
            self.parameters: Mapping[str, Any] = query.validated_data
            if self.public_max_age:
                cache_page_for(request, CLOCK, self.public_max_age)
        elif request.user.is_authenticated:
            self.scope_require(self.write_scope)
            view: Any = self
            if request.method == "POST" and HEADER in request.headers and hasattr(view, "post"):
                view.post = _once(view.post)

    def scope_require(self, scope: str) -> None:
        """Require that the token of the request has the ``scope``.

        Raises:
            Refused: it does not.
        """
        token: Any = self.request.auth  # an instance of the model in ``accounts``
        if token is not None and scope not in token.scopes:
            detail = _("This token may not do this: make one with the scope “%(scope)s” under “Access tokens”.")
            raise Refused("scope", detail % {"scope": scope}, status_code=status.HTTP_403_FORBIDDEN)

    def perform_authentication(self, request: Request) -> None:
        try:
            super().perform_authentication(request)
        except UnicodeDecodeError as error:  # knox decodes arbitrary header bytes as UTF-8
            raise AuthenticationFailed(_("Invalid token.")) from error

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        """Select JSON regardless of the Accept header, because there is no other renderer."""
        return super().perform_content_negotiation(request, force=True)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Set the headers of every response: the site's version, caching, and rate limits.

        ``peck`` compares the version with its own.
        """
        answer = super().finalize_response(request, response, *args, **kwargs)
        answer["Pecking-Version"] = VERSION
        patch_vary_headers(answer, ("Authorization",))
        if "Cache-Control" not in answer:
            answer["Cache-Control"] = "private, no-cache" if "Authorization" in request.headers else "no-cache"
        for throttle in self._throttles:
            for name, value in throttle.headers().items():
                answer[name] = value
        return answer

    def get_throttles(self) -> list[BaseThrottle]:
        if self.request.method not in SAFE_METHODS:
            self._throttles = [AuthorThrottle()]
        return list(self._throttles)


class Listing(API, ListAPIView[Any]):
    """A list, a page at a time. ``get_queryset`` may give any sequence."""

    pagination_class: type[Pages | Cursors] = Pages

    @property
    def paging(self) -> Sequence[str]:  # type: ignore[override]  # it depends on the pagination class
        """The names of the query parameters for pagination."""
        kind = self.pagination_class
        which = kind.cursor_query_param if issubclass(kind, Cursors) else kind.page_query_param
        return (which, kind.page_size_query_param)

    def paginate_queryset(self, queryset: Any) -> list[Any]:
        return self.lines(super().paginate_queryset(queryset) or [])

    def lines(self, page: list[Any]) -> list[Any]:
        """Return the objects to serialize for the rows of a page."""
        return page


class Item(API, RetrieveAPIView[Any]):
    """One object, found by ``get_object`` if the user may see it."""


def _once(post: Callable[..., Response]) -> Callable[..., Response]:
    """Wrap ``post`` so that it runs once for each idempotency key."""
    return lambda request, *args, **kwargs: idempotent_answer(request, partial(post, request, *args, **kwargs))
