"""Pages and lists that are the same for all strangers: what says so of one, for how long, and what makes all anew.

Nothing is shared of which nothing was said here. The answers themselves are kept by what stands before Django.
"""

from collections.abc import Callable
from functools import partial, wraps
from typing import Any, Final, TypeAlias

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers

from web.topics import SHARED, share, topics_changed

CLOCK: Final = "clock.1"  # never announced: of answers that are kept by their seconds alone
SITE: Final = "site.1"  # of all answers that are kept
View: TypeAlias = Callable[..., HttpResponseBase]

NOW_SECONDS: Final = 5  # of what goes on, and of what programs may follow
LIST_SECONDS: Final = 10  # of other lists, bots and people
PLAYED_SECONDS: Final = 10  # of what is announced
OVER_SECONDS: Final = 30  # of what is over: names of bots change without an announcement
TEXT_SECONDS: Final = 30  # of what is another one with a release, but for the line of the system below it


def share_later(request: Any, topic: str, seconds: int) -> None:
    """Let strangers share the answer to ``request`` until ``topic`` is announced, for so many ``seconds`` at most. What
    looks up the thing that an address shows says so for all pages and lists about it; what is said last counts.
    """
    getattr(request, "_request", request).shared_as = (topic, seconds)  # the API wraps it


def share_for(seconds: int) -> Callable[[View], View]:
    """Return a decorator of views whose answers strangers share for so many ``seconds``, whatever happens meanwhile but
    ``answers_forget``."""

    def decorator(view: View) -> View:
        @wraps(view)
        def shared(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            share_later(request, CLOCK, seconds)
            return view(request, *args, **kwargs)

        return shared

    return decorator


class ShareLater:
    """Middleware: says of answers to strangers what ``share_later`` said of their requests, where the view has not
    said anything itself; tells caches before the site that visitors choose a language by a cookie; and what staff did
    in the administration makes all anew."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = self.get_response(request)
        shared_as: tuple[str, int] | None = getattr(request, "shared_as", None)
        if shared_as is not None and SHARED not in answer and request.user.is_anonymous:
            share(answer, *shared_as)
        if "immutable" not in answer.get("Cache-Control", ""):  # that has an address of its own in each language
            patch_vary_headers(answer, ["Cookie"])
        match = request.resolver_match
        if request.method == "POST" and match is not None and match.app_name == "admin" and request.user.is_staff:
            topics_changed(SITE)
        return answer


def answers_forget() -> None:
    """Have all that is shared made anew once this transaction is committed: something was hidden, blocked or deleted,
    and may stand on any page."""
    transaction.on_commit(partial(topics_changed, SITE))
