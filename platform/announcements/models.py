"""The models of announcements and questions. Their subjects are in higher rooms, so rows refer to them by kind and
primary key."""

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

TITLE_MOST: Final = 120  # characters
TEXT_MOST: Final = 5000
QUESTION_MOST: Final = 1000


class Announcement(models.Model):
    """An announcement of a tournament, a league, a series or a group; see ``subjects``.

    ``publish_at`` is when the announcement is to be published. ``published_at`` is when it was published, null before.
    ``edits`` counts changes; with it, two people who edit at the same time are noticed.
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


class Question(models.Model):
    """A question to the organisers of a tournament, a league, a series or a group. The organisers and the asker see it.
    From ``published_at`` on, everybody who sees the subject sees the question, without the asker's name. ``asker`` is
    null after the account was deleted. ``edits`` counts answers; with it, two people who answer at the same time are
    noticed.
    """

    subject = models.CharField(max_length=20)
    subject_id = models.PositiveBigIntegerField()
    asker = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="questions")
    text = models.TextField(_("question"), max_length=QUESTION_MOST)
    created_at = models.DateTimeField(auto_now_add=True)
    answer = models.TextField(_("answer"), max_length=TEXT_MOST, blank=True)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="questions_answered"
    )
    answered_at = models.DateTimeField(null=True, blank=True)
    published_at = models.DateTimeField(null=True, blank=True)
    edits = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("question")
        verbose_name_plural = _("questions")
        constraints = [
            models.CheckConstraint(condition=~Q(text=""), name="question_has_a_text"),
            models.CheckConstraint(
                condition=Q(answer="", answered_at__isnull=True) | (~Q(answer="") & Q(answered_at__isnull=False)),
                name="question_answered_has_a_text",
            ),
            models.CheckConstraint(
                condition=Q(published_at__isnull=True) | Q(published_at__gte=F("answered_at")),
                name="question_published_was_answered",
            ),
        ]
        indexes = [
            models.Index("subject", "subject_id", "answered_at", name="question_of_subject"),
        ]

    def __str__(self) -> str:
        return self.text[:60]

    @property
    def is_open(self) -> bool:
        return self.answered_at is None
