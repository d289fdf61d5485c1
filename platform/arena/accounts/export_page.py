"""The page and the API's address where a person takes home what is stored about them."""

from typing import Final, cast

from allauth.account.decorators import reauthentication_required
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request

from arena.accounts.export import TooManyExports, export_make, export_name
from arena.accounts.models import User
from arena.accounts.tokens import SCOPES
from web.api_errors import Refused, problems
from web.api_view import API

ERRORS: Final = problems(400, 401, 403, 404, 429, 503)


@never_cache
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]  # allauth is untyped
@require_http_methods(["GET", "HEAD", "POST"])
def export(request: HttpRequest) -> HttpResponseBase:
    """Say what is stored, and for how long; a POST sends it: the password was typed a moment ago."""
    person = cast(User, request.user)
    if request.method != "POST":
        return render(request, "accounts/export.html", {"days": _days()})
    try:
        return _archive(person)
    except TooManyExports as error:
        return render(request, "accounts/export.html", {"error": str(error), "days": _days()}, status=429)


class ExportView(API):
    """All that is stored about the owner of the token, as a zip: five times an hour at most."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="me_export",
        summary="Take home what is stored about you",
        responses={(200, "application/zip"): OpenApiTypes.BINARY, **ERRORS},
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Send it. The token needs every scope, for it reads what each of them is asked for."""
        for scope in SCOPES:
            self.scope_require(scope)
        try:
            return _archive(cast(User, request.user))
        except TooManyExports as error:
            raise Refused("throttled", str(error), status_code=429, wait=3600) from None


def _archive(person: User) -> HttpResponse | FileResponse:
    response = FileResponse(export_make(person=person), as_attachment=True, filename=export_name(person))
    response["Content-Type"] = "application/zip"
    response["Cache-Control"] = "private, no-store"
    return response


def _days() -> dict[str, int]:
    """For how long what is dropped by itself is kept."""
    return {
        "output": settings.OUTPUT_DAYS,
        "hooks": settings.HOOK_DAYS,
        "sessions": settings.SESSION_DAYS,
        "audit": settings.AUDIT_DAYS,
    }
