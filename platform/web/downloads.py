"""Downloads: CSV files and zip archives."""

import csv
from collections.abc import Iterable
from typing import Any

from django.http import HttpResponse, StreamingHttpResponse


def csv_response(filename: str, columns: Iterable[str], rows: Iterable[dict[str, Any]]) -> HttpResponse:
    """Return a download; what a row does not have stays empty."""
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{filename}"'
    writer = csv.writer(response)
    columns = list(columns)
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_inert(row.get(column)) for column in columns])
    return response


def zip_response(filename: str, data: Iterable[bytes]) -> StreamingHttpResponse:
    """Return a download, sent as it is made."""
    response = StreamingHttpResponse(data, content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="{filename}"'
    return response


def _inert(value: Any) -> Any:
    """Escape a name that a spreadsheet would take for a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")) else value
