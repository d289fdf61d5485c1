"""Subjects of announcements and questions: tournaments, leagues, series and groups, which register themselves (decision
10)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from groups.selectors import may_know_group_names
from web.page_cache import LIST_SECONDS, cache_page_for, page_mark_unlisted
from web.zones import UTC_NAME


@dataclass(frozen=True, slots=True)
class Subject:
    """A subject of announcements, as one user sees it.

    ``page`` is the path of its page. ``may_write`` tells that the user may announce and answer, ``shows_askers`` that
    the user may know who asked. ``is_everyones`` tells that the subject's page is the same for all anonymous visitors.
    ``is_unlisted`` tells that only people with the link know of the subject. ``group`` is the slug of the group that
    holds the contest, or "".
    """

    kind: str
    pk: int
    slug: str
    name: str
    page: str
    may_write: bool
    is_everyones: bool = False
    is_unlisted: bool = False
    time_zone: str = UTC_NAME
    shows_askers: bool = False
    group: str = ""


def announcement_contest_subject(
    kind: str,
    contest: Any,
    page: str,
    user: Any,
    *,
    is_everyones: bool,
    may_write: bool,
    time_zone: str = UTC_NAME,
) -> Subject:
    """Return a contest with an audience (``contests.audience``) as the subject that ``user`` sees."""
    named = (kind, contest.pk, contest.slug, contest.name, page)
    shows_askers = may_write and may_know_group_names(user, contest.group)
    group = contest.group.slug if contest.group else ""
    return Subject(*named, may_write, is_everyones, contest.is_unlisted, time_zone, shows_askers, group)


Find: TypeAlias = Callable[[Any, Q], Subject | None]
People: TypeAlias = Callable[[int], set[int]]


@dataclass(frozen=True, slots=True)
class SubjectKind:
    """A kind of subjects.

    ``find(user, condition)`` returns the subject that fulfils the condition, or None if ``user`` may not see it. If
    ``user`` is None, every subject is seen and nothing may be written. ``people`` returns the recipients of
    announcements, ``runners`` the recipients of questions. ``has_topic`` tells that subjects of the kind have a live
    topic.
    """

    find: Find
    people: People
    runners: People
    has_topic: bool


_KINDS: Final[dict[str, SubjectKind]] = {}


def announcement_subject_register(
    kind: str, find: Find, people: People, runners: People, *, has_topic: bool = True
) -> None:
    """Register a kind of subjects, such as "tournament"."""
    _KINDS[kind] = SubjectKind(find, people, runners, has_topic)


def announcement_subject_kind(name: str) -> SubjectKind:
    """Return the registered kind ``name``."""
    return _KINDS[name]


def announcement_subject_kinds() -> list[str]:
    """Return the names of all kinds."""
    return sorted(_KINDS)


def announcement_subject_or_404(request: HttpRequest, kind: str, **which: Any) -> Subject:
    """Return the subject if the user may see it, else raise Http404. Public pages may be cached for anonymous
    visitors."""
    known = _KINDS.get(kind)
    subject = known.find(request.user, Q(**which)) if known else None
    if known is None or subject is None:
        raise Http404
    if subject.is_unlisted:
        page_mark_unlisted(request)
    if subject.is_everyones and known.has_topic:
        cache_page_for(request, f"{kind}.{subject.pk}", LIST_SECONDS)
    return subject


def announcement_written_subject(request: HttpRequest, kind: str, **which: Any) -> Subject:
    """Return the subject if the user may announce, else raise a 404 or 403."""
    subject = announcement_subject_or_404(request, kind, **which)
    if not subject.may_write:
        raise PermissionDenied(_("Only those who run this may announce something."))
    return subject
