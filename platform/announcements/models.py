"""Announcements; to what they belong is named by a kind and a primary key, because it lies in rooms above."""

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

TITLE_MOST: Final = 120  # characters
TEXT_MOST: Final = 5000


class Announcement(models.Model):
    """A text of whoever runs a tournament, a league or a group; see ``subjects``.

    It is shown from ``published_at`` on, null before; ``publish_at`` is when that is due. ``edits`` counts changes, so
    that of two people who edit at once the second is told.
    """

    subject = models.CharField(max_length=20)
    subject_id = models.PositiveBigIntegerField()
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="announcements", verbose_name=_("author")
    )
    title = models.CharField(_("title"), max_length=TITLE_MOST)
    text = models.TextField(_("text"), max_length=TEXT_MOST, blank=True)
    is_pinned = models.BooleanField(_("pinned"), default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    publish_at = models.DateTimeField(_("published at"))
    published_at = models.DateTimeField(null=True, blank=True)
    edited_at = models.DateTimeField(null=True, blank=True)
    edits = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("announcement")
        verbose_name_plural = _("announcements")
        constraints = [
            models.CheckConstraint(condition=~Q(title=""), name="announcement_has_a_title"),
            models.CheckConstraint(
                condition=Q(published_at__isnull=True) | Q(published_at__gte=F("publish_at")),
                name="announcement_is_never_early",
            ),
        ]
        indexes = [
            models.Index("subject", "subject_id", "published_at", name="announcement_of_subject"),
            models.Index("publish_at", name="announcement_due", condition=Q(published_at__isnull=True)),
        ]

    def __str__(self) -> str:
        return self.title
