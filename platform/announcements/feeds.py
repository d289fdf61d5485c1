"""What is announced, as entries of a feed."""

from django.urls import reverse

from announcements.selectors import announcements_of
from web.feeds import ENTRIES_MOST, FeedEntry
from web.markdown import markdown


def announcement_entries(kind: str, pk: int, slug: str) -> list[FeedEntry]:
    """Return what is published about a tournament or a league, as entries of its feed."""
    page = reverse("announcements:list", args=[kind, slug])
    newest = announcements_of(kind, pk).order_by("-published_at", "-pk")[:ENTRIES_MOST]
    return [
        FeedEntry(f"announcement-{one.pk}", one.title, page, one.published_at, one.edited_at, markdown(one.text))
        for one in newest
        if one.published_at is not None
    ]
