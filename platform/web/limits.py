"""Rate limits that tell clients how long to wait. Requests are counted by allauth's ``ratelimit``.

While the cache is unavailable, requests are not counted and all are allowed.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any, Final

from allauth.account import app_settings
from allauth.core.internal import ratelimit
from django.core.cache import cache, caches
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from rest_framework.request import Request
from rest_framework.throttling import ScopedRateThrottle

ACCOUNTS: Final = "allauth.account"
A_MINUTE: Final = 60  # seconds


def limit_seconds_left(request: HttpRequest, *, app: str, action: str, config: Mapping[str, str], key: str = "") -> int:
    """Return the seconds after which ``action`` may be tried again; 0 if it is allowed now."""
    now, longest = time.time(), 0.0
    for rate in ratelimit.get_rates(app=app, action=action, config=dict(config)):
        if rate.per == "user" and not request.user.is_authenticated:
            continue
        history = cache.get(ratelimit.get_cache_key(request, app=app, action=action, rate=rate, key=key), [])
        if len(history) >= rate.amount:  # the history is newest first: this is the entry that has to expire
            first = history[rate.amount - 1] if history else now
            longest = max(longest, first + rate.duration - now)
    return ceil(longest)


def limit_allows(request: HttpRequest, *, app: str, action: str, most: str, dry_run: bool = False) -> bool:
    """Count an ``action``, and return whether it is within the limit ``most``, in allauth's notation.

    With ``dry_run``, only return whether another action would be within the limit. While the cache is unavailable,
    nothing is counted.
    """
    try:
        left = ratelimit.consume(
            request, app=app, action=action, config={action: most}, limit_get=True, dry_run=dry_run
        )
    except ConnectionError:
        return True
    return left is not None


@dataclass(frozen=True, slots=True)
class FailedGuesses:
    """Limits how often an IP address may try invalid secrets: ``most`` in allauth's notation, per address.

    Only failures are counted, so that a class behind one address can use a valid link or code. While the cache is
    unavailable, nothing is counted.
    """

    app: str
    action: str
    most: str = "20/10m/ip"

    def may_try(self, request: HttpRequest) -> bool:
        """Return whether the client may try another secret."""
        return limit_allows(request, app=self.app, action=self.action, most=self.most, dry_run=True)

    def count(self, request: HttpRequest) -> None:
        """Count a failure."""
        limit_allows(request, app=self.app, action=self.action, most=self.most)

    def seconds_left(self, request: HttpRequest) -> int:
        """Return the seconds after which the client may try again."""
        return limit_seconds_left(request, app=self.app, action=self.action, config={self.action: self.most})


def limit_exceeded_response(request: HttpRequest, seconds: int) -> HttpResponse:
    """Return a response with status 429 and the time to wait, on the page and in ``Retry-After``."""
    seconds = max(1, seconds)
    minutes = ceil(seconds / A_MINUTE) if seconds > A_MINUTE else 0
    answer = render(request, "429.html", {"seconds": seconds, "minutes": minutes}, status=429)
    answer["Retry-After"] = str(seconds)
    answer["Cache-Control"] = "no-store"
    return answer


def limit_exceeded_of_accounts(request: HttpRequest) -> HttpResponse:
    """Return the response to a rate-limited request of allauth.

    Allauth does not report which action was limited, so the longest wait of all actions is used.
    """
    limits: Mapping[str, str] = app_settings.RATE_LIMITS
    key = request.POST.get("email", "").lower()
    waits = [limit_seconds_left(request, app=ACCOUNTS, action=one, config=limits, key=key) for one in limits]
    return limit_exceeded_response(request, max(waits, default=0))


class AuthorThrottle(ScopedRateThrottle):
    """Limits the number of requests in a period that begins with the first request. Each of several concurrent requests
    is counted.

    The throttle of Django REST framework reads, counts and writes in steps, so it misses concurrent requests.
    """

    left: int | None = None  # requests left in the period; None: not counted

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
        except ValueError:  # the period ended between the two calls above, so this request is the first of the next one
            return True

    def headers(self) -> dict[str, str]:
        """Return the rate-limit headers of draft-ietf-httpapi-ratelimit-headers-10."""
        if self.left is None:
            return {}
        policy = f'"{self.scope}";q={self.num_requests};w={self.duration}'
        return {"RateLimit-Policy": policy, "RateLimit": f'"{self.scope}";r={self.left};t={ceil(self.wait())}'}

    def wait(self) -> float:
        return max(0.0, self.ends - self.timer())
