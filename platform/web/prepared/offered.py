"""A prepared file as a page offers it, and how the page looks again while one is being prepared."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.http import HttpResponse

from web.boards import REFRESH_HEADER
from web.models import PreparedFile, PreparedState
from web.prepared.answers import RETRY_AFTER
from web.prepared.services import prepared_file


@dataclass(frozen=True, slots=True)
class OfferedFile:
    """The file ``name`` at ``address``; without ``file`` nobody has asked for it. ``title``: what a link to it says."""

    name: str
    title: str
    address: str
    file: PreparedFile | None

    @property
    def is_ready(self) -> bool:
        return self.file is not None and self.file.state == PreparedState.READY

    @property
    def is_coming(self) -> bool:
        return self.file is not None and self.file.state in (PreparedState.WAITING, PreparedState.MAKING)

    @property
    def has_failed(self) -> bool:
        return self.file is not None and self.file.state == PreparedState.FAILED


def file_offered(kind: str, subject: int, name: str, address: str, title: str) -> OfferedFile:
    """Return the file ``name`` of a subject for a page; see ``PreparedFile``."""
    return OfferedFile(name, title, address, prepared_file(kind, subject, name))


def any_coming(files: Iterable[OfferedFile]) -> bool:
    return any(one.is_coming for one in files)


def keep_looking(answer: HttpResponse, files: Iterable[OfferedFile]) -> HttpResponse:
    """Let the page look again as long as a file is being prepared; see live-cells.js."""
    if any_coming(files):
        answer[REFRESH_HEADER] = str(RETRY_AFTER)
    return answer
