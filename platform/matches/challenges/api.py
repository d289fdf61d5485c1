"""Challenges over the API."""

from typing import cast

from django.contrib.auth.models import AbstractUser
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from bots.models import Bot
from bots.selectors import bots_public
from matches.challenges.selectors import challenges_of, challenges_to_change
from matches.challenges.serializers import (
    ChallengeAnswerSerializer,
    ChallengeRequestSerializer,
    ChallengeSerializer,
)
from matches.challenges.services import (
    challenge_accept,
    challenge_create,
    challenge_decline,
    challenge_withdraw,
)
from matches.models import Challenge
from teams.selectors import owners_of
from web.api_errors import Refused, problems
from web.api_view import Item, JSONBody, Listing

ERRORS = problems(400, 401, 403, 404, 409, 429, 503)


class ChallengesView(Listing):
    """The challenges of a bot, newest first: all for a bot of mine, otherwise those that involve bots of mine."""

    write_scope = "upload"
    serializer_class = ChallengeSerializer
    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody,)
    throttle_scope = "upload"

    def get_queryset(self) -> QuerySet[Challenge]:
        return challenges_of(self._bot(), self.request.user)

    @extend_schema(
        summary="Challenge a bot",
        description="A private match of my bot against this one, between the current versions, never rated. Where its"
        " author is to answer first, `state` is `asked`.",
        request=ChallengeRequestSerializer,
        responses={201: ChallengeSerializer, **ERRORS},
    )
    def post(self, request: Request, slug: str) -> Response:
        sent = ChallengeRequestSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        author = cast(AbstractUser, request.user)
        bot = bots_public().filter(slug=sent.validated_data["bot"], owner__in=owners_of(author)).first()
        if bot is None:
            raise Refused("unknown_bot", _("You have no bot of this name in addresses."), "bot")
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
        description="For the author of the bot that is challenged. One that was accepted may be declined until its"
        " match begins.",
        request=ChallengeAnswerSerializer,
        responses={200: ChallengeSerializer, **ERRORS},
    )
    def patch(self, request: Request, slug: str, challenge_id: int) -> Response:
        sent = ChallengeAnswerSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        theirs = challenges_to_change(request.user).filter(opponent__owner__in=owners_of(request.user))
        found = get_object_or_404(theirs, pk=challenge_id, opponent__slug=slug)
        act = {"accept": challenge_accept, "decline": challenge_decline}[sent.validated_data["answer"]]
        if not act(challenge=found):
            raise Refused("too_late", _("It is too late for that."), status=409)
        return Response(self.get_serializer(self.get_object()).data)

    @extend_schema(
        summary="Withdraw a challenge",
        description="For the challenger: its match is called off if it is open; one that is over stays as it is.",
        responses={200: ChallengeSerializer, **ERRORS},
    )
    def delete(self, request: Request, slug: str, challenge_id: int) -> Response:
        mine = challenges_to_change(request.user).filter(bot__owner__in=owners_of(request.user))
        challenge_withdraw(challenge=get_object_or_404(mine, pk=challenge_id, opponent__slug=slug))
        return Response(self.get_serializer(self.get_object()).data)
