"""Announcements and questions, one line each."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from announcements.models import Announcement, Question


def announcement_later(tournament: Any, **fields: Any) -> Announcement:
    """Of a tournament, scheduled for tomorrow."""
    tomorrow = timezone.now() + timedelta(days=1)
    return Announcement.objects.create(
        subject="tournament",
        subject_id=tournament.pk,
        author=tournament.organiser,
        **{"title": "Later", "publish_at": tomorrow, **fields},
    )


def announced(tournament: Any, **fields: Any) -> Announcement:
    """Of a tournament, published."""
    now = timezone.now()
    return announcement_later(tournament, **{"publish_at": now, "published_at": now, **fields})


def question_of(tournament: Any, asker: Any, *, is_published: bool = False, **fields: Any) -> Question:
    """About a tournament; open without an ``answer``."""
    now = timezone.now()
    times = {"answered_at": now if fields.get("answer") else None, "published_at": now if is_published else None}
    subject = {"subject": "tournament", "subject_id": tournament.pk, "asker": asker}
    return Question.objects.create(**subject, **{"text": "May a bot write files?", **times, **fields})
