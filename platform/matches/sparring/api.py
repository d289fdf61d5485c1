"""API of sparring: request test matches, list and stop them."""

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

from bots.models import Bot, BotVersion
from contests.caps import contest_blocks_cap
from matches.models import Match, MatchState, Sparring
from matches.sparring.selectors import (
    sparring_figures_sentence,
    sparring_verdict,
    sparring_verdict_sentence,
    sparrings_of,
)
from matches.sparring.services import SparringRefused, sparring_create, sparring_stop
from matches.sparring.views import BLOCKS
from web.api_errors import api_error_descriptions
from web.api_examples import RULESET, SITE, api_example_shown, serializer_example
from web.api_view import Item, JSONBody, Listing
from web.serializers import serializer_address

ANSWERS: Final = [
    (one, one) for one in ("open", "called_off", "better", "worse", "too_close", "undecided", "forfeited")
]
_LARGEST = 2**31 - 1


@serializer_example(bot="rooster", version=3, opponent="rooster", opponent_version=2)
class SparringRequestSerializer(serializers.Serializer[Any]):
    """The bots of a sparring match, its game and its length."""

    bot = serializers.SlugField(max_length=90, help_text="The slug of a bot of mine.")
    version = serializers.IntegerField(
        required=False, min_value=1, max_value=_LARGEST, help_text="By default the current version."
    )
    opponent = serializers.SlugField(
        required=False, max_length=90, help_text="Another bot of mine, or a house bot; by default the same bot."
    )
    opponent_version = serializers.IntegerField(
        required=False, min_value=1, max_value=_LARGEST, help_text="By default the current version."
    )
    players = serializers.IntegerField(default=2, min_value=2, max_value=20, help_text="Players at the table.")
    ruleset = serializers.CharField(
        required=False, max_length=30, help_text=f"Such as `{RULESET}`; by default the current one of the game."
    )
    options = serializers.DictField(default=dict, help_text="Options of the game; missing ones have their defaults.")
    blocks = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=_LARGEST,
        help_text="Number of blocks, or with `sequential` the maximum; by default 200.",
    )
    sequential = serializers.BooleanField(default=True, help_text="Stop when it is decided; only for two players.")
    effect = serializers.FloatField(default=0.1, help_text="The smallest difference worth detecting, 0.01 to 0.25.")
    error = serializers.FloatField(default=0.05, help_text="How often an answer may be wrong, 0.01 to 0.25.")


@api_example_shown(
    state="finished",
    bot="rooster",
    version=3,
    opponent="rooster",
    opponent_version=2,
    players=2,
    ruleset=RULESET,
    blocks=200,
    blocks_played=64,
    answer="better",
    sentence="Rooster v3 is better than Rooster v2.",
    share=0.61,
    low=0.53,
    high=0.69,
    llr=3.1,
    page=f"{SITE}/matches/1/",
)
class SparringSerializer(serializers.Serializer[Match]):
    """A sparring match, and its verdict on the version in the first seat."""

    match = serializers.IntegerField(source="pk")
    state = serializers.ChoiceField(choices=MatchState.choices)
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    bot = serializers.SlugField()
    version = serializers.IntegerField()
    opponent = serializers.SlugField()
    opponent_version = serializers.IntegerField()
    players = serializers.IntegerField()
    ruleset = serializers.CharField()
    blocks = serializers.IntegerField(help_text="Maximum number of blocks.")
    blocks_played = serializers.IntegerField(allow_null=True)
    answer = serializers.ChoiceField(choices=ANSWERS)
    sentence = serializers.CharField(help_text="The answer and its figures in words.")
    share = serializers.FloatField(
        allow_null=True, help_text="Share of opponents that the bot beat, 0 to 1; ties count half."
    )
    low = serializers.FloatField(allow_null=True, help_text="Lower end of the 95 % interval of the share.")
    high = serializers.FloatField(allow_null=True, help_text="Upper end of the interval.")
    llr = serializers.FloatField(
        allow_null=True, help_text="Log-likelihood ratio of a sequential match, see `matches/ID/`."
    )
    page = serializers.CharField(help_text="The match's page, for people.")

    def to_representation(self, instance: Match) -> dict[str, Any]:
        verdict = sparring_verdict(instance)
        seats = list(instance.seats.all())
        first, other = seats[0].version, seats[1].version
        data = {
            **{name: getattr(instance, name) for name in ("pk", "state", "created_at", "finished_at", "ruleset")},
            **{name: getattr(instance, name) for name in ("blocks", "blocks_played", "llr")},
            **{name: getattr(verdict, name) for name in ("answer", "share", "low", "high")},
            "bot": first.bot.slug,
            "version": first.number,
            "opponent": other.bot.slug,
            "opponent_version": other.number,
            "players": len(seats),
            "sentence": f"{sparring_verdict_sentence(instance, verdict)} {sparring_figures_sentence(verdict)}".strip(),
            "page": serializer_address(self, "matches:detail", instance.pk),
        }
        return super().to_representation(data)  # type: ignore[arg-type]  # fields read keys as well


ERRORS = api_error_descriptions(400, 401, 403, 404, 409, 429, 503)


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
        description="Requests a private match of a version of my bot against one of mine or a house bot.",
        request=SparringRequestSerializer,
        responses={201: SparringSerializer, **ERRORS},
    )
    def post(self, request: Request) -> Response:
        sent = SparringRequestSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        arguments = sent.validated_data
        made = sparring_create(
            author=cast(AbstractUser, request.user),
            version=_version(arguments["bot"], arguments.get("version"), "bot"),
            opponent=_version(
                arguments.get("opponent", arguments["bot"]), arguments.get("opponent_version"), "opponent"
            ),
            players=arguments["players"],
            ruleset=arguments.get("ruleset", ""),
            options=arguments["options"],
            blocks=arguments.get("blocks", min(BLOCKS, contest_blocks_cap())),
            stopping={"effect": arguments["effect"], "error": arguments["error"]} if arguments["sequential"] else {},
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
        summary="Cancel a sparring match",
        description="The games of an open match are lost. A finished match does not change.",
        responses={200: SparringSerializer, **ERRORS},
    )
    def delete(self, request: Request, pk: int) -> Response:
        sparring_stop(sparring=get_object_or_404(Sparring, match__pk=pk, author=request.user.pk))
        return Response(self.get_serializer(self.get_object()).data)


def _version(slug: str, number: int | None, field: str) -> BotVersion:
    """Return a version of a bot, by default the current one. The service checks whose bot it is."""
    bot = Bot.objects.filter(slug=slug).select_related("current__bot").first()
    if bot is None:
        raise SparringRefused("unknown_bot", _("There is no bot with this slug."), field)
    found = bot.current if number is None else bot.versions.select_related("bot").filter(number=number).first()
    if found is None:
        detail = _("%(bot)s has no version with this number, or no accepted version.") % {"bot": bot.name}
        raise SparringRefused("no_version", detail, field)
    return found
