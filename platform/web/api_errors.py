"""Error responses of the API: one object with a code for programs, a sentence for people, and the field it is about."""

import logging
from typing import Any, Final

from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import exceptions, serializers, status
from rest_framework.response import Response
from rest_framework.views import exception_handler

from web.errors import Refusal
from web.outage import RETRY_AFTER, is_outage

logger = logging.getLogger(__name__)


class Refused(exceptions.APIException):
    """A refusal of ours, with its field."""

    def __init__(self, code: str, detail: str, field: str = "", status_code: int = 400, wait: int = 0) -> None:
        super().__init__(detail, code)
        if wait:
            self.wait = wait  # seconds: Django REST framework says so in a header
        self.code = code
        self.field = field
        self.status_code = status_code


class ErrorSerializer(serializers.Serializer[Any]):
    """Every answer of 4xx, and 503."""

    code = serializers.CharField(help_text="For programs: syntax_error, too_large, name_taken, throttled, ...")
    detail = serializers.CharField(help_text="For people: what was wrong, where, and what to do.")
    field = serializers.CharField(help_text="The field it is about, or empty.")


UNAVAILABLE: Final = gettext_lazy("A part of the site does not answer at the moment. Try again in a minute.")


def answer_error(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the response for an error raised in a view; None for one that is a bug of ours."""
    if is_outage(error):
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
            detail = _("There is nothing at this address for you. Check it, and send your token if it is your own.")
            error = Refused("not_found", detail, status_code=status.HTTP_404_NOT_FOUND)
    response = exception_handler(error, context)
    if response is not None:
        response.data = _flat(error, response.data)
    return response


def _flat(error: Exception, data: Any) -> dict[str, str]:
    field = getattr(error, "field", "")
    if isinstance(error, exceptions.ValidationError) and isinstance(data, dict):
        field = next(iter(data))
        data = data[field]
    detail = data.get("detail", "") if isinstance(data, dict) else data[0] if isinstance(data, list) else data
    return {"code": str(getattr(detail, "code", "invalid")), "detail": str(detail), "field": field}
