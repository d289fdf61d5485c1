"""API of challenges: list, create, answer and withdraw them."""

from typing import Any, Final, cast

from django.contrib.auth.models import AbstractUser
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from bots.models import Bot
from bots.selectors import bots_public
from matches.challenges.selectors import (
    challenge_result_facts_of,
    challenge_sentence,
    challenges_of,
    challenges_to_change,
)
from matches.challenges.services import (
    challenge_accept,
    challenge_create,
    challenge_decline,
    challenge_withdraw,
)
from matches.models import Challenge, ChallengeState
from matches.sparring.api import ANSWERS
from teams.selectors import team_owners_of
from web.api_errors import Refused, api_error_descriptions
from web.api_examples import SITE, api_example_shown, serializer_example
from web.api_view import Item, JSONBody, Listing, OneOf
from web.serializers import serializer_address

ANSWER_CHOICES: Final = [("accept", "accept"), ("decline", "decline")]


@serializer_example(bot="rooster")
class ChallengeRequestSerializer(serializers.Serializer[Any]):
    """The bot that makes the challenge."""

    bot = serializers.SlugField(max_length=90, help_text="The slug of a bot of mine for the same game.")


@serializer_example(answer="accept")
class ChallengeAnswerSerializer(serializers.Serializer[Any]):
    """The answer of the author of the challenged bot."""

    answer = OneOf(choices=ANSWER_CHOICES)


@api_example_shown(
    id=7,
    state="accepted",
    bot="rooster",
    opponent="wise-owl",
    match=1,
    answer="worse",
    sentence="Wise Owl wins 62 % of deals (likely 55–69 %).",  # noqa: RUF001  a range
    blocks=64,
    share=0.38,
    low=0.31,
    high=0.45,
    page=f"{SITE}/matches/1/",
)
class ChallengeSerializer(serializers.Serializer[Challenge]):
    """`bot` challenges `opponent`. The answer and the figures are those of `bot`."""

    id = serializers.IntegerField()
    state = serializers.ChoiceField(choices=ChallengeState.choices)
    bot = serializers.SlugField()
    opponent = serializers.SlugField()
    created_at = serializers.DateTimeField()
    answered_at = serializers.DateTimeField(allow_null=True)
    match = serializers.IntegerField(allow_null=True)
    answer = serializers.ChoiceField(choices=ANSWERS, allow_null=True)
    sentence = serializers.CharField(help_text="The state of the challenge in words.")
    blocks = serializers.IntegerField(allow_null=True, help_text="Number of played blocks.")
    share = serializers.FloatField(
        allow_null=True, help_text="Share of opponents that `bot` beat, 0 to 1; ties count half."
    )
    low = serializers.FloatField(allow_null=True, help_text="Lower end of the 95 % interval of the share.")
    high = serializers.FloatField(allow_null=True, help_text="Upper end of the interval.")
    page = serializers.CharField(help_text="The match's page, or that of the challenges of `opponent`, for people.")

    def to_representation(self, instance: Challenge) -> dict[str, Any]:
        match = instance.match if instance.state == ChallengeState.ACCEPTED else None
        facts = challenge_result_facts_of(match) if match else {}
        page = ("matches:detail", match.pk) if match else ("bots:challenges", instance.opponent.slug)
        data = {
            **{name: getattr(instance, name) for name in ("id", "state", "created_at", "answered_at")},
            **{name: facts.get(name) for name in ("answer", "blocks", "share", "low", "high")},
            "bot": instance.bot.slug,
            "opponent": instance.opponent.slug,
            "match": match.pk if match else None,
            "sentence": challenge_sentence(instance),
            "page": serializer_address(self, *page),
        }
        return super().to_representation(data)  # type: ignore[arg-type]  # fields read keys as well


ERRORS = api_error_descriptions(400, 401, 403, 404, 409, 429, 503)


class ChallengesView(Listing):
    """The challenges of a bot, newest first. For another author's bot, only those that involve my bots."""

    write_scope = "upload"
    serializer_class = ChallengeSerializer
    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody,)
    throttle_scope = "upload"

    def get_queryset(self) -> QuerySet[Challenge]:
        return challenges_of(self._bot(), self.request.user)

    @extend_schema(
        summary="Challenge a bot",
        description="Requests a private, unrated match of my bot against this one, between the current versions. If"
        " the author of this bot has to accept first, `state` is `asked`.",
        request=ChallengeRequestSerializer,
        responses={201: ChallengeSerializer, **ERRORS},
    )
    def post(self, request: Request, slug: str) -> Response:
        sent = ChallengeRequestSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        author = cast(AbstractUser, request.user)
        bot = bots_public().filter(slug=sent.validated_data["bot"], owner__in=team_owners_of(author)).first()
        if bot is None:
            raise Refused("unknown_bot", _("You have no bot with this slug."), "bot")
        made = challenge_create(author=author, bot=bot, opponent=self._bot())
        found = challenges_to_change(author).get(pk=made.pk)
        return Response(self.get_serializer(found).data, status=status.HTTP_201_CREATED)

    def _bot(self) -> Bot:
        return get_object_or_404(bots_public(), slug=self.kwargs["slug"])


class ChallengeView(Item):
    """A challenge that a bot of mine has made or received."""

    write_scope = "upload"
    serializer_class = ChallengeSerializer
    permission_classes = (IsAuthenticated,)

    def get_object(self) -> Challenge:
        bot = get_object_or_404(bots_public(), slug=self.kwargs["slug"])
        return get_object_or_404(challenges_of(bot, self.request.user), pk=self.kwargs["challenge_id"])

    @extend_schema(
        summary="Accept or decline a challenge",
        description="For the author of the challenged bot. An accepted challenge may be declined until its match"
        " begins.",
        request=ChallengeAnswerSerializer,
        responses={200: ChallengeSerializer, **ERRORS},
    )
    def patch(self, request: Request, slug: str, challenge_id: int) -> Response:
        sent = ChallengeAnswerSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        theirs = challenges_to_change(request.user).filter(opponent__owner__in=team_owners_of(request.user))
        found = get_object_or_404(theirs, pk=challenge_id, opponent__slug=slug)
        act = {"accept": challenge_accept, "decline": challenge_decline}[sent.validated_data["answer"]]
        if not act(challenge=found):
            raise Refused("too_late", _("It is too late for that."), status=409)
        return Response(self.get_serializer(self.get_object()).data)

    @extend_schema(
        summary="Withdraw a challenge",
        description="For the challenger. An open match is cancelled, a finished one does not change.",
        responses={200: ChallengeSerializer, **ERRORS},
    )
    def delete(self, request: Request, slug: str, challenge_id: int) -> Response:
        mine = challenges_to_change(request.user).filter(bot__owner__in=team_owners_of(request.user))
        challenge_withdraw(challenge=get_object_or_404(mine, pk=challenge_id, opponent__slug=slug))
        return Response(self.get_serializer(self.get_object()).data)
