"""Look up questions, and check who may see, ask, answer and delete them."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import F, Q, QuerySet
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from announcements.models import Question
from announcements.subjects import Subject, announcement_subject_or_404


def questions_seen(reader: Any, subject: Subject) -> QuerySet[Question]:
    """Return the questions about ``subject`` that ``reader`` may see. Its organisers see all questions. Others see
    published questions and their own. Open questions come first, then the last answered.
    """
    found = Question.objects.filter(subject=subject.kind, subject_id=subject.pk).select_related("asker")
    if not subject.may_write:
        own = Q(asker=reader.pk) if reader.pk is not None else Q()
        found = found.filter(Q(published_at__isnull=False) | own) if own else found.exclude(published_at=None)
    return found.order_by(F("answered_at").desc(nulls_first=True), "-pk")


def question_or_404(request: HttpRequest, pk: int) -> tuple[Question, Subject]:
    """Return a question with its subject.

    Raises:
        Http404: there is no such question, or the user may not see it.
    """
    one = get_object_or_404(Question.objects.all(), pk=pk)
    subject = announcement_subject_or_404(request, one.subject, pk=one.subject_id)
    seen = questions_seen(request.user, subject).filter(pk=pk).first()
    if seen is None:
        raise Http404
    return seen, subject


def question_subject(request: HttpRequest, kind: str, **which: Any) -> Subject:
    """Return the subject if the user may ask about it. Everybody who sees the subject may, except its organisers, who
    get a 403.
    """
    subject = announcement_subject_or_404(request, kind, **which)
    if subject.may_write:
        raise PermissionDenied(_("You run this yourself. Announce what others need to know."))
    return subject


def answered_question(request: HttpRequest, pk: int) -> tuple[Question, Subject]:
    """Return a question with its subject for an organiser; others get a 403."""
    one, subject = question_or_404(request, pk)
    if not subject.may_write:
        raise PermissionDenied(_("Only those who run this may answer."))
    return one, subject


def deletable_question(request: HttpRequest, pk: int) -> tuple[Question, Subject]:
    """Return a question with its subject for its asker or an organiser; others get a 403. ``question_delete`` checks
    whether it is still open."""
    one, subject = question_or_404(request, pk)
    if not subject.may_write and (request.user.pk is None or one.asker_id != request.user.pk):
        raise PermissionDenied(_("Only those who run this may delete it."))
    return one, subject
