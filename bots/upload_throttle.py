"""How often an author may upload: pages and API share one count, or authors would go round it by the other.

Any upload costs the web server the parsing of an untrusted file, also one that is refused. While the cache is away
nobody is counted: uploads go on, and the number that may wait unchecked still bounds them.
"""

from typing import Final

from django.http import HttpRequest
from django.utils.translation import ngettext
from rest_framework.request import Request

from bots.upload_errors import Problem, UploadError
from web.throttle import AuthorThrottle

SCOPE: Final = "upload"  # of the rates in the settings, and of the API's views that write


class _Page:
    """Stands for the pages, where the throttle asks for a view of the API."""

    throttle_scope = SCOPE


def upload_note(request: HttpRequest) -> None:
    """Count one more upload of the signed-in user.

    Raises:
        UploadError: it is one too many.
    """
    throttle, asked = AuthorThrottle(), Request(request)
    asked.user = request.user
    if not throttle.allow_request(asked, _Page()):
        minutes = int(throttle.wait() // 60) + 1
        raise UploadError(
            Problem.TOO_OFTEN,
            ngettext(
                "You have uploaded very often. Upload again in %(minutes)d minute.",
                "You have uploaded very often. Upload again in %(minutes)d minutes.",
                minutes,
            )
            % {"minutes": minutes},
        )
