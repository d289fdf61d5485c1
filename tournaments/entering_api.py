"""The API for entering tournaments: invitation links, questions to entrants with their answers, and categories."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final, cast

from django.contrib.auth.models import AbstractUser
from django.db.models import QuerySet
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.parsers import FormParser, MultiPartParser
from rest_framework.permissions import SAFE_METHODS, BasePermission, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from bots.models import Bot
from bots.serializers import NamedBotSerializer
from contests.actions import ERRORS, action_operation
from teams.selectors import acts_for_owner
from tournaments.actions import ACTIONS
from tournaments.errors import EntryRefused
from tournaments.models import (
    CHOICE_LENGTH,
    CHOICES_MOST,
    STORED_QUESTIONS_MOST,
    Entry,
    EntryAnswers,
    RegistrationKind,
    RegistrationQuestion,
    Tournament,
)
from tournaments.selectors.entering.entry_rules import (
    LinkShown,
    entry_invitation_digest_of,
    entry_invitation_link_shown,
)
from tournaments.selectors.entering.registration import (
    own_registration_answers,
    registration_answers_line,
    registration_entries_to_answer,
    registration_questions_of,
    registration_questions_open,
)
from tournaments.services import (
    entry_category_set,
    entry_create,
    registration_answers_set,
    registration_question_add,
    registration_question_remove,
    tournament_invitation_make,
)
from tournaments.services.invitations import GUESSES
from tournaments.views.lookups import own_entry_or_404, own_tournament, ruled_tournament, tournament_or_404
from web.api_errors import Refused
from web.api_examples import SITE, TIME, api_example_shown, serializer_example
from web.api_view import API, Item, JSONBody, Listing


@extend_schema_field({"type": "object", "additionalProperties": {"oneOf": [{"type": "string"}, {"type": "boolean"}]}})
class AnswersField(serializers.DictField):
    """Answers by the number of the question: a text, one of the choices, or true to agree."""

    child = serializers.JSONField()

    def to_internal_value(self, data: Any) -> Any:
        answers = super().to_internal_value(data)
        if len(answers) > STORED_QUESTIONS_MOST:
            raise serializers.ValidationError(f"There are {STORED_QUESTIONS_MOST} questions at most.")
        return answers


@serializer_example(
    kind="choice", text="Which school are you from?", choices=["Hill School", "Lake School"], is_required=True
)
@api_example_shown(number=1)
class RegistrationQuestionSerializer(serializers.Serializer[Any]):
    """A question to the entrants of a tournament."""

    number = serializers.IntegerField(read_only=True, help_text="Answers refer to it by this number.")
    kind = serializers.ChoiceField(choices=RegistrationKind.choices)
    text = serializers.CharField(max_length=1000)
    choices = serializers.ListField(
        child=serializers.CharField(max_length=1000),
        max_length=CHOICES_MOST,
        required=False,
        help_text="For a choice or a category.",
    )
    is_required = serializers.BooleanField(default=True, help_text="Always true for a consent or a category.")

    def validate_kind(self, chosen: str) -> RegistrationKind:
        return RegistrationKind(chosen)


@serializer_example(answers={"1": "Hill School", "2": True})
@api_example_shown(answered_at=TIME)
class EntryAnswersSerializer(serializers.Serializer[Any]):
    """My answers for a bot of mine. A request replaces all of them."""

    answers = AnswersField()
    answered_at = serializers.DateTimeField(read_only=True, allow_null=True, help_text="null: not answered yet.")


@serializer_example(category="Hill School")
class EntryCategorySerializer(serializers.Serializer[Any]):
    """The category in which a bot is ranked."""

    category = serializers.CharField(max_length=CHOICE_LENGTH, allow_blank=True, help_text="Empty: no category.")


@api_example_shown(entry=1, answers={"1": "Hill School", "2": True}, answered_at=TIME)
class AnswersLineSerializer(serializers.Serializer[Any]):
    """The answers for a bot."""

    entry = serializers.IntegerField(source="entry.pk")
    bot = NamedBotSerializer(source="entry.bot")
    is_withdrawn = serializers.BooleanField(source="entry.is_withdrawn")
    answers = AnswersField(help_text="Includes answers to questions that are not asked any more.")
    answered_at = serializers.DateTimeField(allow_null=True)


MOST: Final = 2**31 - 1


@serializer_example(bot="rooster")
class EnteringSerializer(serializers.Serializer[Any]):
    """The bot to enter, and what its entry requires."""

    bot = serializers.SlugField(
        max_length=90,
        help_text="The slug of a bot of mine. The organiser may also enter house bots, and bots with"
        " `organisers_may_enter`.",
    )
    invitation = serializers.CharField(
        max_length=100,
        required=False,
        allow_blank=True,
        help_text="The last part of the invitation link, if entry is by invitation.",
    )
    answers = AnswersField(
        required=False, help_text="Answers to the questions in `registration/`, by number; only for a bot of mine."
    )
    agrees_to_release = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Required if the tournament `releases_sources`: once results are public, everyone who can see it may"
        " read and download the source of my bot.",
    )


@serializer_example(number=0)
@api_example_shown(number=1, holds=True)
class LinkSerializer(serializers.Serializer[LinkShown]):
    """The state of the invitation link of a tournament."""

    number = serializers.IntegerField(
        min_value=0,
        max_value=MOST,
        help_text="Increases with each new link and each withdrawal; 0 before the first link.",
    )
    holds = serializers.BooleanField(read_only=True, help_text="Whether the link is valid.")
    made_at = serializers.DateTimeField(read_only=True, allow_null=True)


@api_example_shown(link=f"{SITE}/tournaments/harvest-cup/invitation/cCg7BLkq/", invitation="cCg7BLkq")
class MadeLinkSerializer(LinkSerializer):
    """A new invitation link. No other response contains it."""

    link = serializers.CharField(read_only=True, help_text="The page to send to authors.")
    invitation = serializers.CharField(read_only=True, help_text="The value to send when a bot enters over the API.")


class SignedInToWrite(BasePermission):
    """Only signed-in users may write. Who may read is decided by the view."""

    def has_permission(self, request: Request, view: Any) -> bool:
        return request.method in SAFE_METHODS or bool(request.user and request.user.is_authenticated)


def tournament_api_enter(view: API, request: Request, tournament: Tournament) -> Entry:
    """Enter the bot that the request names.

    For a bot of another author, the token must have the scope to organise.

    Raises:
        Refused, EntryRefused: the bot cannot enter. The code says why.
        AnswerRefused: a required answer is missing, or an answer is invalid.
    """
    entering = EnteringSerializer(data=request.data)
    entering.is_valid(raise_exception=True)
    bot = Bot.objects.filter(slug=entering.validated_data["bot"]).first()
    if bot is None:
        raise Refused("unknown_bot", _("There is no bot with this slug."), "bot")
    if not acts_for_owner(request.user, bot.owner_id):
        view.scope_require("organise")
    elif tournament.releases_sources and not bot.is_house and not entering.validated_data["agrees_to_release"]:
        detail = _(
            "This tournament releases the sources of its bots at the end: agree to it with “agrees_to_release”"
            " (peck enter --release-source)."
        )
        raise Refused("sources", detail, "agrees_to_release", status.HTTP_409_CONFLICT)
    token = entering.validated_data.get("invitation", "")
    if token and not GUESSES.may_try(cast(HttpRequest, request)):
        detail = _("Too many attempts. Wait ten minutes, then try again.")
        raise Refused("throttled", detail, "invitation", status.HTTP_429_TOO_MANY_REQUESTS)
    try:
        digest = entry_invitation_digest_of(token) if token else ""
        answers = entering.validated_data.get("answers")
        by = cast(AbstractUser, request.user)
        return entry_create(tournament=tournament, bot=bot, by=by, invitation=digest, answers=answers)
    except EntryRefused as error:
        if error.code == "invitation" and token:
            GUESSES.count(cast(HttpRequest, request))
        raise


class InvitationView(Item):
    """The state of the invitation link of a tournament, for its organiser. The link itself is not shown."""

    serializer_class = LinkSerializer
    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody, FormParser, MultiPartParser)

    @property
    def tournament(self) -> Tournament:
        return own_tournament(self.request, self.kwargs["slug"])

    def get_object(self) -> LinkShown:
        return entry_invitation_link_shown(self.tournament)

    @extend_schema(
        summary="Create or renew the invitation link",
        description="The previous link becomes invalid. `number` is the number of the link to replace, so that one of"
        " two concurrent requests is refused.",
        request=LinkSerializer,
        responses={201: MadeLinkSerializer, **ERRORS},
    )
    def post(self, request: Request, slug: str) -> Response:
        known = LinkSerializer(data=request.data)
        tournament = self.tournament
        known.is_valid(raise_exception=True)
        token = tournament_invitation_make(tournament=tournament, known=known.validated_data["number"])
        link = request.build_absolute_uri(reverse("tournaments:invited", args=[slug, token]))
        data = {**LinkSerializer(entry_invitation_link_shown(tournament)).data, "link": link, "invitation": token}
        return Response(data, status=status.HTTP_201_CREATED, headers={"Cache-Control": "no-store"})

    delete = action_operation(ACTIONS["invitation-withdraw"])


class RegistrationView(Listing):
    """The questions to the entrants of a tournament."""

    serializer_class = RegistrationQuestionSerializer
    permission_classes = (SignedInToWrite,)
    parser_classes = (JSONBody,)

    def get_queryset(self) -> Sequence[RegistrationQuestion]:  # type: ignore[override]
        return registration_questions_open(tournament_or_404(self.request, self.kwargs["slug"]))

    @extend_schema(
        summary="Ask entrants a question",
        description="Before the start, at most ten questions. For the organiser.",
        request=RegistrationQuestionSerializer,
        responses={201: RegistrationQuestionSerializer, **ERRORS},
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament = own_tournament(request, slug)
        sent = RegistrationQuestionSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        made = registration_question_add(tournament=tournament, **sent.validated_data)
        return Response(RegistrationQuestionSerializer(made).data, status=status.HTTP_201_CREATED)


class RegistrationQuestionView(API):
    """A question to the entrants of a tournament."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        summary="Stop asking a question",
        description="If it has answers, they are kept with its text. For the organiser.",
        request=None,
        responses={204: None, **ERRORS},
    )
    def delete(self, request: Request, slug: str, number: int) -> Response:
        registration_question_remove(tournament=own_tournament(request, slug), number=number)
        return Response(status=status.HTTP_204_NO_CONTENT)


class AnswersView(Listing):
    """The answers of all entrants, for the organiser and arbiters."""

    serializer_class = AnswersLineSerializer
    permission_classes = (IsAuthenticated,)

    def get_queryset(self) -> QuerySet[Entry]:
        self.tournament = ruled_tournament(self.request, self.kwargs["slug"])
        return registration_entries_to_answer(self.tournament)

    def lines(self, page: list[Any]) -> list[Any]:
        questions = registration_questions_of(self.tournament)
        return [registration_answers_line(entry, questions) for entry in page]


class EntryAnswersView(Item):
    """My answers for a bot of mine."""

    serializer_class = EntryAnswersSerializer
    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody,)
    write_scope = "upload"

    @cached_property
    def entry(self) -> Entry:
        return own_entry_or_404(self.request, self.kwargs["slug"], bot__slug=self.kwargs["bot"])

    def get_object(self) -> EntryAnswers:
        return own_registration_answers(self.entry, self.request.user.pk) or EntryAnswers(entry=self.entry)

    @extend_schema(
        summary="Correct my answers",
        description="While entries are open. 400 `answers`: a required answer is missing, or an answer is invalid.",
        request=EntryAnswersSerializer,
        responses={200: EntryAnswersSerializer, **ERRORS},
    )
    def put(self, request: Request, slug: str, bot: str) -> Response:
        entry = self.entry
        sent = EntryAnswersSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        by = cast(AbstractUser, request.user)
        registration_answers_set(entry=entry, answers=sent.validated_data["answers"], by=by)
        return Response(EntryAnswersSerializer(own_registration_answers(entry, by.pk)).data)


class EntryCategoryView(API):
    """The category of a bot in a tournament."""

    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody,)

    @extend_schema(
        summary="Put a bot into a category",
        description="Until the tournament is over. An empty category means none. For the organiser.",
        request=EntryCategorySerializer,
        responses={200: EntryCategorySerializer, **ERRORS},
    )
    def put(self, request: Request, slug: str, bot: str) -> Response:
        entry = get_object_or_404(own_tournament(request, slug).entries, bot__slug=bot)
        sent = EntryCategorySerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        entry_category_set(entry=entry, **sent.validated_data)
        return Response(sent.data)
