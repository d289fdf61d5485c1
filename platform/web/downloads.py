"""Downloads: CSV files, JSON objects and zip archives. They are streamed, so that no download is in memory as a
whole.
"""

import csv
import json
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from typing import Any, Final, TypeVar

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from rest_framework.request import Request

from web.errors import Refusal
from web.limits import limit_allows, limit_exceeded_response, limit_seconds_left

CHUNK: Final = 64 * 1024  # bytes; each chunk is sent as a message
# Characters at which spreadsheets detect a formula. Excel treats ";" as the end of a cell if the decimal separator is a
# comma.
FORMULA: Final = re.compile(r"(?:^|(?<=[;\t\r\n]))(?=[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])")
Item = TypeVar("Item")


class TooManyDownloads(Refusal):
    """The client has requested too many files for now."""

    code = "throttled"
    status = 429

    def __init__(self, wait: int) -> None:
        self.wait = wait
        super().__init__(_("You have asked for many files. Wait, then try again."))


def download_limited(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Limit how often an IP address may request the files of ``view``, because each is computed for one reader.

    Raises:
        TooManyDownloads: in the API. A page answers 429.
    """

    @wraps(view)
    def bounded(request: HttpRequest | Request, *args: Any, **kwargs: Any) -> HttpResponseBase:
        http_request: HttpRequest = getattr(request, "_request", request)
        most = f"{settings.FILES_PER_ADDRESS}/m/ip"  # in allauth's notation
        if limit_allows(http_request, app="web", action="files", most=most):
            return view(request, *args, **kwargs)
        wait = max(1, limit_seconds_left(http_request, app="web", action="files", config={"files": most}))
        if http_request is not request:
            raise TooManyDownloads(wait)
        return limit_exceeded_response(http_request, wait)

    return bounded


def download_lazily(make: Callable[[], Iterable[Item]]) -> Iterator[Item]:
    """Yield the items that ``make`` returns. ``make`` is called when the first item is requested."""
    yield from make()


def csv_response(
    request: HttpRequest, filename: str, columns: Iterable[str], rows: Iterable[dict[str, Any]]
) -> StreamingHttpResponse:
    """Return a CSV download. Values that a row lacks are empty.

    With ``?bom=1``, the file begins with a byte-order mark. Links for people have this parameter, because Excel assumes
    another encoding than UTF-8 without the mark. Programs request the file without it, because they would read the mark
    as a character.
    """
    marked = request.GET.get("bom") == "1"
    return _download(_csv(list(columns), rows, marked=marked), "text/csv; charset=utf-8", filename)


def json_file_response(make: Callable[[], Mapping[str, Any]]) -> StreamingHttpResponse:
    """Return the object that ``make`` returns as JSON.

    An iterator among the object's values becomes a list. Only one item of it is in memory at a time. The same holds for
    iterators among the values of such an item.
    """
    return _download(download_lazily(lambda: _json(make())), "application/json")


def lines_response(filename: str, rows: Iterable[Mapping[str, Any]]) -> StreamingHttpResponse:
    """Return a download in JSON Lines, with one line for each row."""
    lines = (json.dumps(row, cls=DjangoJSONEncoder, separators=(",", ":")).encode() + b"\n" for row in rows)
    return _download(lines, "application/x-ndjson", filename)


def text_response(filename: str, make: Callable[[], str]) -> StreamingHttpResponse:
    """Return the text that ``make`` returns as a download."""
    return _download(
        (text.encode() for text in download_lazily(lambda: [make()])), "text/plain; charset=utf-8", filename
    )


def prepared_file_response(filename: str, data: Iterable[bytes]) -> StreamingHttpResponse:
    """Return a download of data that a worker has made: an archive or JSON Lines."""
    return _download(data, "application/x-ndjson" if filename.endswith(".jsonl") else "application/zip", filename)


def zip_response(filename: str, data: Iterable[bytes]) -> StreamingHttpResponse:
    """Return a zip archive as a streamed download."""
    return _download(data, "application/zip", filename)


def _download(data: Iterable[bytes], kind: str, filename: str = "") -> StreamingHttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{filename}"'} if filename else {}
    return StreamingHttpResponse(_chunks(data), content_type=kind, headers=headers)


def _chunks(data: Iterable[bytes]) -> Iterator[bytes]:
    """Yield ``data`` in pieces of at least ``CHUNK`` bytes."""
    waiting = bytearray()
    for part in data:
        waiting += part
        if len(waiting) >= CHUNK:
            yield bytes(waiting)
            waiting.clear()
    if waiting:
        yield bytes(waiting)


class _Line:
    """A file-like object whose ``write`` returns the encoded text."""

    def write(self, line: str) -> bytes:
        return line.encode()


def _csv(columns: list[str], rows: Iterable[dict[str, Any]], *, marked: bool) -> Iterator[bytes]:
    if marked:
        yield BOM_UTF8
    writer: Any = csv.writer(_Line())
    yield writer.writerow([csv_safe_cell(column) for column in columns])
    for row in rows:
        yield writer.writerow([csv_safe_cell(row.get(column)) for column in columns])


def _json(value: Any) -> Iterator[bytes]:
    if isinstance(value, Iterator):
        yield b"["
        for number, one in enumerate(value):
            if number:
                yield b", "
            yield from _json(one)
        yield b"]"
    elif isinstance(value, Mapping) and any(isinstance(one, Iterator) for one in value.values()):
        for number, (name, one) in enumerate(value.items()):
            yield f"{', ' if number else '{'}{json.dumps(name)}: ".encode()
            yield from _json(one)
        yield b"}"
    else:
        yield json.dumps(value, cls=DjangoJSONEncoder).encode()


def csv_safe_cell(value: Any) -> Any:
    """Return the text of a cell: "name: value; name: value" for a mapping, the items for a list.

    Text that a spreadsheet would treat as a formula is escaped.
    """
    if isinstance(value, Mapping):
        value = "; ".join(f"{name}: {one}" for name, one in value.items())
    elif isinstance(value, list | tuple):
        value = "; ".join(map(str, value))
    return FORMULA.sub("'", value) if isinstance(value, str) else value
