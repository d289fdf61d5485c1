"""Sparring over the API."""

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

from bots.models import Bot, BotVersion
from contests.caps import blocks_most
from matches.models import Match, Sparring
from matches.sparring.forms import BLOCKS
from matches.sparring.selectors import sparrings_of
from matches.sparring.serializers import SparringRequestSerializer, SparringSerializer
from matches.sparring.services import SparringRefused, sparring_create, sparring_stop
from web.api_errors import problems
from web.api_view import Item, JSONBody, Listing

ERRORS = problems(400, 401, 403, 404, 409, 429, 503)


class SparringsView(Listing):
    """My sparring matches, newest first."""

    write_scope = "upload"
    serializer_class = SparringSerializer
    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody,)
    throttle_scope = "upload"

    def get_queryset(self) -> QuerySet[Match]:
        return sparrings_of(self.request.user)

    @extend_schema(
        summary="Spar",
        description="A private match of a version of my bot with another version of mine, with itself or a house bot.",
        request=SparringRequestSerializer,
        responses={201: SparringSerializer, **ERRORS},
    )
    def post(self, request: Request) -> Response:
        sent = SparringRequestSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        asked = sent.validated_data
        made = sparring_create(
            author=cast(AbstractUser, request.user),
            version=_version(asked["bot"], asked.get("version"), "bot"),
            opponent=_version(asked.get("opponent", asked["bot"]), asked.get("opponent_version"), "opponent"),
            players=asked["players"],
            ruleset=asked.get("ruleset", ""),
            options=asked["options"],
            blocks=asked.get("blocks", min(BLOCKS, blocks_most())),
            stopping={"effect": asked["effect"], "error": asked["error"]} if asked["sequential"] else {},
        )
        found = sparrings_of(request.user).get(pk=made.pk)
        return Response(self.get_serializer(found).data, status=status.HTTP_201_CREATED)


class SparringView(Item):
    """A sparring match of mine."""

    write_scope = "upload"
    serializer_class = SparringSerializer
    permission_classes = (IsAuthenticated,)

    def get_object(self) -> Match:
        return get_object_or_404(sparrings_of(self.request.user), pk=self.kwargs["pk"])

    @extend_schema(
        summary="Call it off",
        description="The games of a match that is open are lost; one that is over stays as it is.",
        responses={200: SparringSerializer, **ERRORS},
    )
    def delete(self, request: Request, pk: int) -> Response:
        sparring_stop(sparring=get_object_or_404(Sparring, match__pk=pk, author=request.user.pk))
        return Response(self.get_serializer(self.get_object()).data)


def _version(slug: str, number: int | None, field: str) -> BotVersion:
    """Return a version of a bot, without a ``number`` the current one; whose it is, is seen where a match is made."""
    bot = Bot.objects.filter(slug=slug).select_related("current__bot").first()
    if bot is None:
        raise SparringRefused("unknown_bot", _("There is no bot of this name in addresses."), field)
    found = bot.current if number is None else bot.versions.select_related("bot").filter(number=number).first()
    if found is None:
        detail = _("%(bot)s has no such version, or none that is accepted.") % {"bot": bot.name}
        raise SparringRefused("no_version", detail, field)
    return found
