"""How often an author may upload: pages and API keep one account of it, or whoever is slowed down takes the other door.

Any upload costs the web server the parsing of a stranger's file, also one that is refused. While the cache is away
nobody is counted: uploads go on, and the number that may wait unchecked still bounds them.
"""

from typing import Any, Final

from django.core.cache import caches
from django.http import HttpRequest
from django.utils.translation import ngettext
from rest_framework.request import Request
from rest_framework.throttling import ScopedRateThrottle

from bots.refusal import Problem, UploadError

SCOPE: Final = "upload"  # of the rates in the settings, and of the API's views that write


class AuthorThrottle(ScopedRateThrottle):
    """So many in a time that begins with the first; of uploads that come at once, each is counted.

    The throttle of REST framework reads, counts and writes, so that those in between pass uncounted.
    """

    def allow_request(self, request: Request, view: Any) -> bool:
        self.scope = getattr(view, self.scope_attr, None)
        if self.scope is None:
            return True
        self.num_requests, self.duration = self.parse_rate(self.get_rate())
        if self.num_requests is None or self.duration is None:
            return True
        self.key = self.get_cache_key(request, view)
        counts, now = caches["optional"], self.timer()
        counts.add(f"{self.key}/since", now, self.duration)
        self.ends: float = counts.get(f"{self.key}/since", now) + self.duration
        counts.add(f"{self.key}/count", 0, self.duration)
        try:
            return bool(counts.incr(f"{self.key}/count") <= self.num_requests)
        except ValueError:  # the time was over between the two lines above: this is the first of the next
            return True

    def wait(self) -> float:
        return max(0.0, self.ends - self.timer())


class _Page:
    """Stands for the pages, where the throttle asks for a view of the API."""

    throttle_scope = SCOPE


def upload_note(request: HttpRequest) -> None:
    """Count one more upload of whoever is signed in.

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
