"""The export of an account as one zip: JSON files by subject, uploads, and what the user's bots printed."""

import json
import tempfile
import zipfile
from io import TextIOWrapper
from typing import IO, Final, cast

from allauth.account.decorators import reauthentication_required
from allauth.core.internal import ratelimit
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.serializers.json import DjangoJSONEncoder
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request

from arena.accounts.export_parts import PARTS, Rows
from arena.accounts.models import User
from arena.accounts.tokens import SCOPES
from bots.models import BotVersion
from web.api_errors import Refused, api_error_descriptions
from web.api_view import API

EXPORTS_MOST: Final = "5/h/key"
IN_MEMORY: Final = 8 * 1024 * 1024  # bytes; a larger archive is written to a temporary file while it is sent
ERRORS: Final = api_error_descriptions(400, 401, 403, 404, 429, 503)


class TooManyExports(ValueError):
    """The user has downloaded too many exports: each takes seconds of processor time."""

    def __init__(self) -> None:
        super().__init__(_("You have downloaded your data five times within an hour. Try again in an hour."))


def account_export(*, person: User) -> IO[bytes]:
    """Return the archive as an open file at its beginning.

    Raises:
        TooManyExports: more than ``EXPORTS_MOST``.
        PackageAway: the object storage with the uploads does not answer.
    """
    config = {"export": EXPORTS_MOST}
    usage = ratelimit.consume(
        None, app="arena.accounts", action="export", config=config, key=str(person.pk), limit_get=True
    )
    if usage is None:
        raise TooManyExports
    made = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115  the response closes it
    with zipfile.ZipFile(cast(IO[bytes], made), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, read in PARTS.items():
            with archive.open(f"{name}.json", "w", force_zip64=True) as part:
                _write(read(person), part)
        for version in BotVersion.objects.filter(bot__owner=person, kept__gt=0).select_related("bot", "package"):
            ending = version.filename.lower().rpartition(".")[2]
            archive.writestr(f"uploads/{version.bot.slug}/v{version.number}.{ending}", version.package.read())
    made.seek(0)
    return cast(IO[bytes], made)


def account_export_name(person: User) -> str:
    """Return the name under which browsers save the archive."""
    return f"pecking-order-{person.pk}-{timezone.now():%Y-%m-%d}.zip"


def _write(rows: Rows, part: IO[bytes]) -> None:
    """Write ``rows`` as a JSON list, one row a line."""
    text = TextIOWrapper(part, encoding="utf-8", write_through=True)
    text.write("[")
    for number, row in enumerate(rows):
        text.write(",\n" if number else "\n")
        text.write(json.dumps(row, cls=DjangoJSONEncoder, ensure_ascii=False))
    text.write("\n]\n")
    text.detach()


@never_cache
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]  # allauth is untyped
@require_http_methods(["GET", "HEAD", "POST"])
def account_export_page(request: HttpRequest) -> HttpResponseBase:
    """Show what is stored, and for how long. A POST, for which the user has just typed the password, sends the
    archive."""
    person = cast(User, request.user)
    if request.method != "POST":
        return render(request, "accounts/export.html", {"days": _days()})
    try:
        return _archive(person)
    except TooManyExports as error:
        return render(request, "accounts/export.html", {"error": str(error), "days": _days()}, status=429)


class ExportView(API):
    """Download all that is stored about the owner of the token, as a zip. The limit is five times an hour."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="me_export",
        summary="Download what is stored about you",
        responses={(200, "application/zip"): OpenApiTypes.BINARY, **ERRORS},
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Send the archive. The token needs every scope, because the archive contains what each scope can read."""
        for scope in SCOPES:
            self.scope_require(scope)
        try:
            return _archive(cast(User, request.user))
        except TooManyExports as error:
            raise Refused("throttled", str(error), status_code=429, wait=3600) from None


def _archive(person: User) -> HttpResponse | FileResponse:
    response = FileResponse(account_export(person=person), as_attachment=True, filename=account_export_name(person))
    response["Content-Type"] = "application/zip"
    response["Cache-Control"] = "private, no-store"
    return response


def _days() -> dict[str, int]:
    """Return the number of days after which each kind of data is deleted."""
    return {
        "output": settings.OUTPUT_DAYS,
        "hooks": settings.HOOK_DAYS,
        "notices": settings.NOTICE_DAYS,
        "sessions": settings.SESSION_DAYS,
        "audit": settings.AUDIT_DAYS,
    }
