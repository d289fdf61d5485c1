"""Services that write, publish, change and delete announcements."""

from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from announcements.hook_events import announcement_event, announcement_event_id
from announcements.models import Announcement, Question
from announcements.questions.services import question_withdraw
from announcements.subjects import Subject, announcement_subject_kind
from live import hub_announce
from notices.services import notice_events_publish, notices_withdraw
from web.errors import Refusal
from web.page_cache import pages_forget


class TooManyAnnouncements(Refusal):
    """The subject has reached the limit of announcements within a day."""

    code = "limit"
    status = 409

    def __init__(self, most: int) -> None:
        sentence = ngettext(
            "There can be %(most)d announcement a day. Edit the last one, or wait until tomorrow.",
            "There can be %(most)d announcements a day. Edit the last one, or wait until tomorrow.",
            most,
        )
        super().__init__(sentence % {"most": most})


class EditedMeanwhile(Refusal):
    """Somebody else has changed or deleted the announcement meanwhile."""

    code = "edited"
    status = 409

    def __init__(self) -> None:
        super().__init__(_("Somebody has edited this announcement meanwhile. Open it again to see their text."))


class AlreadyPublished(Refusal):
    """The time of a published announcement cannot change."""

    code = "published"
    field = "publish_at"
    status = 409

    def __init__(self) -> None:
        super().__init__(_("This announcement is published: its time cannot be changed any more."))


A_DAY: Final = 20  # announcements of one subject within a day; few, because each notifies everybody in it
DUE_AT_ONCE: Final = 50


def announcement_create(
    *,
    subject: Subject,
    by: AbstractUser,
    title: str,
    text: str = "",
    is_pinned: bool = False,
    publish_at: datetime | None = None,
) -> Announcement:
    """Write an announcement. It is published at once, or at ``publish_at`` if that is later.

    Raises:
        TooManyAnnouncements: ``A_DAY`` were written within a day.
    """
    now = timezone.now()
    with transaction.atomic():
        recent = Announcement.objects.filter(
            subject=subject.kind, subject_id=subject.pk, created_at__gt=now - timedelta(days=1)
        )
        if recent.count() >= A_DAY:
            raise TooManyAnnouncements(A_DAY)
        made = Announcement.objects.create(
            subject=subject.kind,
            subject_id=subject.pk,
            author_id=by.pk,
            title=title,
            text=text,
            is_pinned=is_pinned,
            publish_at=publish_at if publish_at and publish_at > now else now,
        )
        if made.publish_at <= now:
            _publish(made)
    return made


def announcement_update(
    *,
    announcement: Announcement,
    edits: int,
    title: str,
    text: str,
    is_pinned: bool,
    publish_at: datetime | None = None,
) -> Announcement:
    """Change an announcement. ``edits`` is the number of changes that it had when it was read. Nobody is notified
    again.

    Raises:
        EditedMeanwhile: somebody else has changed or deleted it.
        AlreadyPublished: ``publish_at`` of a published announcement would change.
    """
    now = timezone.now()
    with transaction.atomic():
        mine = Announcement.objects.filter(pk=announcement.pk, edits=edits)
        values: dict[str, Any] = {"title": title, "text": text, "is_pinned": is_pinned}
        if publish_at is not None and publish_at != announcement.publish_at:
            if not Announcement.objects.filter(pk=announcement.pk, published_at=None).exists():
                raise AlreadyPublished
            mine, values = mine.filter(published_at=None), values | {"publish_at": max(publish_at, now)}
        if not mine.update(**values, edits=F("edits") + 1, edited_at=now):
            raise EditedMeanwhile
        announcement.refresh_from_db()
        if announcement.published_at is None and announcement.publish_at <= now:
            _publish(announcement)
        else:
            _taken_back(announcement)
    return announcement


def announcement_delete(*, announcement: Announcement) -> None:
    """Delete an announcement and its notices, which contain its title."""
    with transaction.atomic():
        _taken_back(announcement)
        _delete(announcement)


def announcements_of_subject_delete(*, kind: str, pk: int) -> None:
    """Delete the announcements and questions of a deleted subject, with their notices."""
    for announcement in Announcement.objects.filter(subject=kind, subject_id=pk):
        _delete(announcement)
    for question in Question.objects.filter(subject=kind, subject_id=pk):
        Question.objects.filter(pk=question.pk).delete()
        question_withdraw(question)


def _delete(announcement: Announcement) -> None:
    """Delete the announcement, then its notices. Deleting the announcement first waits for a publication that is under
    way, so that its notices are deleted too.
    """
    Announcement.objects.filter(pk=announcement.pk).delete()
    notices_withdraw(event=announcement_event_id(announcement), since=announcement.created_at)


def due_announcements_publish() -> int:
    """Publish due announcements, at most ``DUE_AT_ONCE``. Return how many were published."""
    due = Announcement.objects.filter(published_at=None, publish_at__lte=timezone.now()).order_by("publish_at", "pk")
    published = 0
    for one in due[:DUE_AT_ONCE]:
        with transaction.atomic():
            published += _publish(one)
    return published


def _publish(announcement: Announcement) -> bool:
    """Publish an announcement and notify people. This happens once, even if several calls run concurrently. Return
    whether this call published it.
    """
    waiting = Announcement.objects.filter(pk=announcement.pk, published_at=None)
    if not waiting.update(published_at=timezone.now()):
        return False
    announcement.refresh_from_db()
    kind = announcement_subject_kind(announcement.subject)
    subject = kind.find(None, Q(pk=announcement.subject_id))
    if subject is not None:
        notice_events_publish(events=[announcement_event(announcement, subject, kind.people(subject.pk))])
    _changed(announcement)
    return True


def _changed(announcement: Announcement) -> None:
    if announcement.published_at is not None and announcement_subject_kind(announcement.subject).has_topic:
        transaction.on_commit(partial(hub_announce, f"{announcement.subject}.{announcement.subject_id}"))


def _taken_back(announcement: Announcement) -> None:
    """Invalidate pages that may show the previous text, if the announcement was published."""
    _changed(announcement)
    if announcement.published_at is not None:
        pages_forget()
