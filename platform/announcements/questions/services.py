"""Services that ask, answer, publish and delete questions."""

from datetime import timedelta
from functools import partial
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from announcements.hook_events import ANSWERED, ASKED, QUESTION_PUBLISHED, question_event, question_event_id
from announcements.models import Question
from announcements.subjects import Subject, announcement_subject_kind
from live import hub_announce
from notices.services import notice_events_publish, notices_withdraw
from web.errors import Refusal
from web.page_cache import pages_forget

OPEN_MOST: Final = 3  # open questions of one person about one subject
A_DAY: Final = 10  # questions of one person within a day


def question_ask(*, subject: Subject, by: AbstractUser, text: str) -> Question:
    """Ask the organisers of ``subject``, and notify them.

    Raises:
        TooManyOpen: the person has ``OPEN_MOST`` open questions about the subject.
        TooManyQuestions: the person has asked ``A_DAY`` questions within a day.
    """
    now = timezone.now()
    with transaction.atomic():
        # With this lock, concurrent requests are counted one by one.
        get_user_model().objects.select_for_update(no_key=True).get(pk=by.pk)
        own = Question.objects.filter(asker=by.pk)
        if own.filter(subject=subject.kind, subject_id=subject.pk, answered_at=None).count() >= OPEN_MOST:
            raise TooManyOpen(OPEN_MOST)
        if own.filter(created_at__gt=now - timedelta(days=1)).count() >= A_DAY:
            raise TooManyQuestions(A_DAY)
        asked = Question.objects.create(subject=subject.kind, subject_id=subject.pk, asker_id=by.pk, text=text)
        people = announcement_subject_kind(subject.kind).runners(subject.pk) - {by.pk}
        notice_events_publish(events=[question_event(ASKED, asked, subject, people)])
    return asked


def question_answer(
    *, question: Question, subject: Subject, by: AbstractUser, answer: str, is_published: bool, edits: int
) -> Question:
    """Answer a question, privately or for everybody who sees the subject. ``edits`` is the number of answers that the
    question had when it was read. The asker is notified of the first answer. The recipients of announcements are
    notified when the answer is published.

    Raises:
        AnsweredMeanwhile: somebody else has answered or deleted it.
        StaysPublished: a published answer would become private.
    """
    now = timezone.now()
    with transaction.atomic():
        mine = Question.objects.filter(pk=question.pk, edits=edits)
        values: dict[str, Any] = {"published_at": Coalesce(F("published_at"), now)} if is_published else {}
        answered_at = Coalesce(F("answered_at"), now)
        if not mine.update(answer=answer, answered_by=by.pk, answered_at=answered_at, edits=F("edits") + 1, **values):
            raise AnsweredMeanwhile
        question.refresh_from_db()
        if question.published_at is not None and not is_published:
            raise StaysPublished
        events = []
        if question.answered_at == now:
            events.append(question_event(ANSWERED, question, subject, _asker(question)))
        if question.published_at == now:
            people = announcement_subject_kind(subject.kind).people(subject.pk) - {by.pk, question.asker_id or 0}
            events.append(question_event(QUESTION_PUBLISHED, question, subject, people))
        notice_events_publish(events=events)
        if question.published_at is not None:
            _changed(subject)
            if question.published_at != now:
                pages_forget()  # cached pages may show the previous answer
    return question


def question_delete(*, question: Question, subject: Subject) -> None:
    """Delete a question with its notices. Organisers of the subject may delete every question, the asker only an open
    one.

    Raises:
        AnsweredAlready: the asker may no longer delete it.
    """
    with transaction.atomic():
        gone = Question.objects.filter(pk=question.pk)
        if not subject.may_write:
            gone = gone.filter(answered_at=None)
        if not gone.delete()[0] and Question.objects.filter(pk=question.pk).exists():
            raise AnsweredAlready
        question_withdraw(question)
        if question.published_at is not None:
            _changed(subject)
            pages_forget()


def question_withdraw(question: Question) -> None:
    """Delete the notices about a deleted question."""
    for kind in (ASKED, ANSWERED, QUESTION_PUBLISHED):
        notices_withdraw(event=question_event_id(kind, question), since=question.created_at)


def private_questions_delete(*, person_id: int) -> int:
    """Delete a person's unpublished questions. Published questions stay without the name."""
    return Question.objects.filter(asker=person_id, published_at=None).delete()[0]


def _asker(question: Question) -> set[int]:
    """Return the asker, unless the account was deleted or may no longer see the subject."""
    asker = question.asker
    sees = (
        asker is not None
        and announcement_subject_kind(question.subject).find(asker, Q(pk=question.subject_id)) is not None
    )
    return {asker.pk} if asker is not None and sees else set()


def _changed(subject: Subject) -> None:
    if announcement_subject_kind(subject.kind).has_topic:
        transaction.on_commit(partial(hub_announce, f"{subject.kind}.{subject.pk}"))


class TooManyOpen(Refusal):
    """The person has reached the limit of open questions about the subject."""

    code = "limit"
    status = 409

    def __init__(self, most: int) -> None:
        sentence = ngettext(
            "%(most)d question of yours is waiting for an answer here. Delete it, or wait for the answer.",
            "%(most)d questions of yours are waiting for an answer here. Delete one, or wait for an answer.",
            most,
        )
        super().__init__(sentence % {"most": most})


class TooManyQuestions(Refusal):
    """The person has reached the limit of questions within a day."""

    code = "limit"
    status = 409

    def __init__(self, most: int) -> None:
        sentence = ngettext("You can ask %(most)d question a day.", "You can ask %(most)d questions a day.", most)
        super().__init__(sentence % {"most": most})


class AnsweredMeanwhile(Refusal):
    """Somebody else has answered or deleted the question meanwhile."""

    code = "edited"
    status = 409

    def __init__(self) -> None:
        super().__init__(_("Somebody else has answered meanwhile. Read their answer first; saving yours replaces it."))


class StaysPublished(Refusal):
    """A published answer cannot become private."""

    code = "published"
    field = "is_published"
    status = 409

    def __init__(self) -> None:
        super().__init__(_("This answer is published. Change it, or delete the question."))


class AnsweredAlready(Refusal):
    """The asker may delete only open questions."""

    code = "answered"
    status = 409

    def __init__(self) -> None:
        super().__init__(_("This question has an answer, so only the organisers can delete it."))
