"""The events of announcements and questions, for webhooks and notices.

They contain no private questions or answers, because a webhook may post to a channel that others read.
"""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID, uuid5

from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from announcements.models import Announcement, Question
from announcements.subjects import Subject
from hooks.kinds import KindSection, hook_kind_register
from hooks.services import Event
from web.email import email_link_to

PUBLISHED: Final = "announcement.published"
EVENTS: Final = UUID("6f1f7f0c-5a0e-4a55-9a53-3c2f1f3f8f11")


class AnnouncementDataSerializer(serializers.Serializer[Any]):
    """An announcement of a tournament, a league, a series or a group. The field of that name has its slug; `group` has
    the slug of the group that holds the event."""

    announcement = serializers.IntegerField()
    tournament = serializers.SlugField(required=False)
    league = serializers.SlugField(required=False)
    series = serializers.SlugField(required=False)
    group = serializers.SlugField(required=False)
    name = serializers.CharField(help_text="The name of the tournament, league, series or group.")
    title = serializers.CharField()
    url = serializers.CharField(help_text="The announcement in the API.")
    page = serializers.CharField()


def announcement_event_register() -> None:
    """Register the event kind of announcements."""
    label = gettext_lazy(
        "there is an announcement of an event I take part in, of a series I follow, or of a group of mine"
    )
    hook_kind_register(PUBLISHED, label, AnnouncementDataSerializer, _sentence, section=KindSection.GROUPS)


def announcement_event_id(announcement: Announcement) -> UUID:
    """Return the id of the event that an announcement was published. There is one for each announcement."""
    return uuid5(EVENTS, str(announcement.pk))


def announcement_event(announcement: Announcement, subject: Subject, people: set[int]) -> Event:
    """Return the event that an announcement was published, for ``people`` except its author."""
    data = {
        "announcement": announcement.pk,
        **_names(subject),
        "title": announcement.title,
        "url": email_link_to("api-announcements:detail", announcement.pk),
        "page": email_link_to("announcements:list", subject.kind, subject.slug) + f"#announcement-{announcement.pk}",
    }
    return Event(PUBLISHED, people - {announcement.author_id or 0}, data, announcement_event_id(announcement))


def _names(subject: Subject) -> dict[str, str]:
    group = {"group": subject.group} if subject.group else {}
    return {subject.kind: subject.slug, **group, "name": subject.name}


def _sentence(data: Mapping[str, Any]) -> str:
    return _("%(name)s announces: %(title)s") % data


ASKED: Final = "question.asked"
ANSWERED: Final = "question.answered"
QUESTION_PUBLISHED: Final = "question.published"
QUESTION_EVENTS: Final = UUID("0d6f3b3e-5f0b-4c86-8f2e-0a8f2b7b6c55")
EXCERPT: Final = 120  # characters


class QuestionDataSerializer(serializers.Serializer[Any]):
    """A question about a tournament, a league, a series or a group. The field of that name has its slug; `group` has
    the slug of the group that holds the event."""

    question = serializers.IntegerField()
    tournament = serializers.SlugField(required=False)
    league = serializers.SlugField(required=False)
    series = serializers.SlugField(required=False)
    group = serializers.SlugField(required=False)
    name = serializers.CharField(help_text="The name of the tournament, league, series or group.")
    url = serializers.CharField(help_text="The question in the API.")
    page = serializers.CharField()


class PublishedQuestionDataSerializer(QuestionDataSerializer):
    """A published question, with its beginning."""

    text = serializers.CharField()


def question_events_register() -> None:
    """Register the event kinds of questions."""
    asked = gettext_lazy("somebody asks a question about an event or a group that I run")
    answered = gettext_lazy("organisers answer a question of mine")
    published = gettext_lazy(
        "organisers publish an answer in an event I take part in, in a series I follow, or in a group of mine"
    )
    hook_kind_register(ASKED, asked, QuestionDataSerializer, _question_asked_sentence, section=KindSection.ORGANISING)
    hook_kind_register(
        ANSWERED, answered, QuestionDataSerializer, _question_answered_sentence, section=KindSection.GROUPS
    )
    hook_kind_register(
        QUESTION_PUBLISHED,
        published,
        PublishedQuestionDataSerializer,
        _answer_published_sentence,
        section=KindSection.GROUPS,
    )


def question_event_id(kind: str, question: Question) -> UUID:
    """Return the id of the event of ``kind`` about a question. There is at most one of each kind."""
    return uuid5(QUESTION_EVENTS, f"{kind} {question.pk}")


def question_event(kind: str, question: Question, subject: Subject, people: set[int]) -> Event:
    """Return the event of ``kind`` for ``people``."""
    data = {
        "question": question.pk,
        **_names(subject),
        "url": email_link_to("api-announcements:question", question.pk),
        "page": email_link_to("announcements:questions", subject.kind, subject.slug) + f"#question-{question.pk}",
    }
    if kind == QUESTION_PUBLISHED:
        data["text"] = Truncator(" ".join(question.text.split())).chars(EXCERPT)
    return Event(kind, people, data, question_event_id(kind, question))


def _question_asked_sentence(data: Mapping[str, Any]) -> str:
    return _("%(name)s: somebody has a question for the organisers.") % data


def _question_answered_sentence(data: Mapping[str, Any]) -> str:
    return _("%(name)s: the organisers have answered your question.") % data


def _answer_published_sentence(data: Mapping[str, Any]) -> str:
    return _("%(name)s, a question answered for everybody: %(text)s") % data
