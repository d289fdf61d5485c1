"""The page of a contest's data set, and its API: the licence and the files."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _
from rest_framework import serializers

from contests.exports_api import PreparedExport
from matches.datasets.archive import (
    ARCHIVES,
    JSON_ARCHIVE,
    PARQUET_ARCHIVE,
    dataset_archive_bibtex,
    dataset_has_parquet,
)
from matches.datasets.rows import DatasetEvent, DatasetLicence
from web.api_examples import serializer_example
from web.prepared.answers import OfferedFile, prepared_answer_is_pending, prepared_answer_offer

_TITLES = {JSON_ARCHIVE: "JSON", PARQUET_ARCHIVE: "Parquet"}


class DatasetPage:
    """The content of the page of a data set.

    ``subject`` is the contest, with a ``dataset_licence``. ``owns`` tells whether the reader is its organiser. ``kind``
    is the kind of the prepared files, see ``PreparedFile``. ``at`` is the URL name of the page and its arguments. The
    URL name of a file has the suffix "-file", and the name of the file as one more argument.
    """

    def __init__(
        self,
        request: HttpRequest,
        kind: str,
        subject: Any,
        event: DatasetEvent,
        *,
        games: int,
        owns: bool,
        is_offered: bool,
        at: tuple[Any, ...],
    ) -> None:
        self.files: list[OfferedFile] = []
        for name in ARCHIVES if is_offered and request.user.is_authenticated else ():
            if name != PARQUET_ARCHIVE or dataset_has_parquet():
                address = reverse(f"{at[0]}-file", args=[*at[1:], name])
                self.files.append(prepared_answer_offer(kind, subject.pk, name, address, _TITLES[name]))
        self._facts = {
            "subject": subject,
            "owns": owns,
            "offered": is_offered,
            "games": games,
            "file": f"{event.slug}-{JSON_ARCHIVE}",
            "action": reverse(at[0], args=at[1:]),
            "citation": dataset_archive_bibtex(event) if is_offered else "",
        }

    def context(self) -> dict[str, Any]:
        """Return the context of templates/contests/dataset.html."""
        return self._facts | {
            "licences": DatasetLicence.choices,
            "files": self.files,
            "coming": prepared_answer_is_pending(self.files),
            "has_parquet": dataset_has_parquet(),
        }


def dataset_page_archive_require(name: str) -> None:
    """Raise Http404 unless this site offers an archive of this name.

    Raises:
        Http404: there is no such archive, or it needs pyarrow, which is not installed.
    """
    if name not in ARCHIVES:
        raise Http404(_("A data set has dataset.zip and dataset-parquet.zip."))
    if name == PARQUET_ARCHIVE and not dataset_has_parquet():
        raise Http404(_("This site has no Parquet files: pyarrow is not installed."))


@serializer_example(licence="CC-BY-4.0")
class DatasetOfferSerializer(serializers.Serializer[Any]):
    """The licence of the data set. Empty: the data set is not offered."""

    licence = serializers.ChoiceField(choices=DatasetLicence.choices, allow_blank=True)


def dataset_exports(
    answer: Callable[..., HttpResponseBase], operation_id: str, subject: str
) -> tuple[PreparedExport, PreparedExport]:
    """Return the two files of a data set for the API.

    ``subject`` names the contest in descriptions, such as "a tournament". ``answer`` takes the request, the arguments
    of the address and the ``name`` of the file.
    """
    kinds = (
        (JSON_ARCHIVE, operation_id, f"The data set of {subject} as JSON lines, for `peck verify`"),
        (
            PARQUET_ARCHIVE,
            f"{operation_id}_parquet",
            f"The data set of {subject} as Parquet; 404 where the site lacks pyarrow",
        ),
    )
    json_lines, parquet = (PreparedExport(name, partial(answer, name=name), *described) for name, *described in kinds)
    return json_lines, parquet
