"""Throttles of the API.

While the cache is away nobody is counted, and every request is let through.
"""

from math import ceil
from typing import Any

from django.core.cache import caches
from rest_framework.request import Request
from rest_framework.throttling import ScopedRateThrottle


class AuthorThrottle(ScopedRateThrottle):
    """So many in a time that begins with the first; of uploads that come at once, each is counted.

    The throttle of REST framework reads, counts and writes, so that those in between pass uncounted.
    """

    left: int | None = None  # requests until the end of the time; None: not counted

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
            used = counts.incr(f"{self.key}/count")
            self.left = max(0, self.num_requests - used)
            return bool(used <= self.num_requests)
        except ValueError:  # the time was over between the two lines above: this is the first of the next
            return True

    def headers(self) -> dict[str, str]:
        """Return what the answer says of the limit, as draft-ietf-httpapi-ratelimit-headers-10 has it."""
        if self.left is None:
            return {}
        policy = f'"{self.scope}";q={self.num_requests};w={self.duration}'
        return {"RateLimit-Policy": policy, "RateLimit": f'"{self.scope}";r={self.left};t={ceil(self.wait())}'}

    def wait(self) -> float:
        return max(0.0, self.ends - self.timer())
