"""Throttles of the API.

While the cache is away nobody is counted, and every request is let through.
"""

from typing import Any

from django.core.cache import caches
from rest_framework.request import Request
from rest_framework.throttling import ScopedRateThrottle


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
