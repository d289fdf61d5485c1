"""Selectors of announcements: published and waiting ones, their panels, and their entries in feeds."""

from collections.abc import Iterable
from typing import Any, Final

from django.db.models import Count, Exists, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.template import Context
from django.urls import reverse

from announcements.models import Announcement, Question
from announcements.subjects import Subject
from web.feeds import ENTRIES_MOST, FeedEntry
from web.markdown import markdown

ON_A_PAGE: Final = 3  # announcements on the page of the subject itself


def announcements_of(kind: str, pk: int) -> QuerySet[Announcement]:
    """Return the published announcements: pinned ones first, then the newest."""
    found = Announcement.objects.filter(subject=kind, subject_id=pk, published_at__isnull=False)
    return found.select_related("author").order_by("-is_pinned", "-published_at", "-pk")


def announcements_waiting_of(subject: Subject) -> QuerySet[Announcement]:
    """Return the announcements that wait for their time, the next first. Only for those who may write them."""
    found = Announcement.objects.filter(subject=subject.kind, subject_id=subject.pk, published_at=None)
    return found.select_related("author").order_by("publish_at", "pk")


def with_announcements(subjects: QuerySet[Any], kind: str) -> QuerySet[Any]:
    """Annotate ``subjects`` with ``has_announcements`` and ``open_questions``, so that pages without any need no
    query."""
    published = Announcement.objects.filter(subject=kind, subject_id=OuterRef("pk"), published_at__isnull=False)
    open_ones = Question.objects.filter(subject=kind, subject_id=OuterRef("pk"), answered_at=None).order_by()
    counted = open_ones.values("subject_id").annotate(count=Count("pk")).values("count")
    annotated: QuerySet[Any] = subjects.annotate(
        has_announcements=Exists(published), open_questions=Coalesce(Subquery(counted), 0)
    )
    return annotated


def announcement_panel_of(kind: str) -> Any:
    """Return the context function of the announcements panel on pages of ``kind``; see ``web.panels``."""

    def describe(_context: Context, shown: Any) -> dict[str, Any]:
        if not getattr(shown, "has_announcements", True):
            return {"announcements": ()}
        found = list(announcements_of(kind, shown.pk)[: ON_A_PAGE + 1])
        more = len(found) > ON_A_PAGE
        return {"announcements": found[:ON_A_PAGE], "more": more, "subject": kind, "slug": shown.slug}

    return describe


def announcement_entries(kind: str, subjects: Iterable[Any], *, names: bool = False) -> list[FeedEntry]:
    """Return the published announcements of ``subjects`` as feed entries, with one query. With ``names``, titles
    include the name of the subject.
    """
    known = {one.pk: one for one in subjects}
    found = Announcement.objects.filter(subject=kind, subject_id__in=known, published_at__isnull=False)
    entries = []
    for one in found.order_by("-published_at", "-pk")[:ENTRIES_MOST]:
        subject = known[one.subject_id]
        page = reverse("announcements:list", args=[kind, subject.slug])
        title = f"{subject.name}: {one.title}" if names else one.title
        at: Any = one.published_at
        entries.append(FeedEntry(f"announcement-{one.pk}", title, page, at, one.edited_at, markdown(one.text)))
    return entries
