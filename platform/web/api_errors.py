"""Error responses of the API: problem documents (RFC 9457) with a code for programs and the invalid fields."""

import logging
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any, Final

from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import exceptions, serializers, status
from rest_framework.response import Response
from rest_framework.settings import api_settings
from rest_framework.views import exception_handler

from web.database import RETRY_AFTER, database_is_outage
from web.errors import Refusal

logger = logging.getLogger(__name__)

PROBLEM: Final = "application/problem+json"
UNAVAILABLE: Final = gettext_lazy("A part of the site does not answer at the moment. Try again in a minute.")


class Refused(exceptions.APIException):
    """An error of ours with a field. ``more`` has additional members of the problem document."""

    def __init__(
        self, code: str, detail: str, field: str = "", status_code: int = 400, wait: int = 0, **more: Any
    ) -> None:
        super().__init__(detail, code)
        if wait:
            self.wait = wait  # seconds; Django REST framework sends it as a header
        self.code = code
        self.field = field
        self.status_code = status_code
        self.more = more


class FieldErrorSerializer(serializers.Serializer[Any]):
    """What is wrong with one field."""

    field = serializers.CharField(help_text="The name of the field; with dots and numbers inside objects and lists.")
    code = serializers.CharField()
    detail = serializers.CharField()


class ProblemSerializer(serializers.Serializer[Any]):
    """A problem document (RFC 9457), the body of every response with a 4xx status or 503."""

    type = serializers.CharField(help_text="about:blank; `code` distinguishes problems of one status.")
    title = serializers.CharField(help_text="The status in words.")
    status = serializers.IntegerField(help_text="The status of the response.")
    detail = serializers.CharField(help_text="For people: what is wrong, where, and what to do.")
    instance = serializers.CharField(help_text="The path of the request.")
    code = serializers.CharField(help_text="For programs: syntax_error, too_large, name_taken, throttled, ...")
    field = serializers.CharField(help_text="The field that is wrong, the first of several, or empty.")
    errors = FieldErrorSerializer(  # type: ignore[assignment]  # the metaclass takes fields out of the class
        many=True, help_text="Each field that is wrong; empty if no field is."
    )
    breaches = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        help_text="Where an exchange of places breaks rules: each, as `despite` takes it.",
    )


def api_error_descriptions(*codes: int) -> dict[tuple[int, str], type[ProblemSerializer]]:
    """Return the description of responses with these statuses for the OpenAPI page."""
    return {(code, PROBLEM): ProblemSerializer for code in codes}


def api_error_document(path: str, status_code: int, wrong: list[dict[str, str]], **more: Any) -> dict[str, Any]:
    """Return the members of the problem document for a request for ``path``.

    ``wrong`` has the field, code and detail of each error, at least one. The first is the main one.
    """
    return {
        "type": "about:blank",
        "title": HTTPStatus(status_code).phrase,
        "status": status_code,
        "instance": path,
        **wrong[0],
        "errors": [one for one in wrong if one["field"]],
        **more,
    }


def api_error_response(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the response for an error in a view; None if the error is a bug."""
    if database_is_outage(error):
        logger.error("503 for %s: %s: %s", context["request"].path, type(error).__name__, error)
        error = Refused("unavailable", str(UNAVAILABLE), status_code=503, wait=RETRY_AFTER)
    match error:
        case Refusal():
            error = Refused(error.code, str(error), error.field, error.status, error.wait)
        case exceptions.NotAuthenticated():
            detail = _("This needs a token: make one under “Access tokens”, and send it in the header “%(header)s”.")
            detail %= {"header": "Authorization: Token …"}
            error.detail = exceptions.ErrorDetail(detail, error.default_code)
        case Http404():
            detail = _(
                "There is nothing at this address that you can see. Check the address, and send your token if it is "
                "yours."
            )
            error = Refused("not_found", detail, status_code=status.HTTP_404_NOT_FOUND)
    response = exception_handler(error, context)
    if response is not None:
        wrong = response.data if isinstance(error, exceptions.ValidationError) else response.data["detail"]
        found = list(_wrong(getattr(error, "field", ""), wrong))
        response.data = api_error_document(
            context["request"].path, response.status_code, found, **getattr(error, "more", {})
        )
        response.content_type = PROBLEM
    return response


def _wrong(field: str, found: Any) -> Iterator[dict[str, str]]:
    """Yield each error in order, with the name of its field; "" means the request as a whole."""
    match found:
        case Mapping():
            for name, inner in found.items():
                part = "" if name == api_settings.NON_FIELD_ERRORS_KEY else str(name)
                yield from _wrong(".".join(filter(None, (field, part))), inner)
        case list():
            for place, inner in enumerate(found):
                yield from _wrong(f"{field}.{place}" if isinstance(inner, Mapping) else field, inner)
        case _:
            yield {"field": field, "code": str(getattr(found, "code", "invalid")), "detail": str(found)}
