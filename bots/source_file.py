"""The file of a version, to be kept and never to be shown or run by a browser."""

from django.http import HttpResponse

from bots.models import BotVersion


def source_response(version: BotVersion, slug: str) -> HttpResponse:
    """Return the very bytes that were uploaded. Whoever asks must be the author."""
    kind = "application/zip" if version.filename.lower().endswith(".zip") else "text/plain; charset=utf-8"
    response = HttpResponse(version.package.read(), content_type=kind)
    ending = version.filename.lower().rpartition(".")[2]
    response["Content-Disposition"] = f'attachment; filename="{slug}-v{version.number}.{ending}"'
    response["X-Content-Type-Options"] = "nosniff"
    response["Cache-Control"] = "private, no-store"
    return response
