"""API of a match's broadcast: read, announce, move and end it, for people who run the match."""

from typing import Any, Final

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from matches.airing.services import (
    AHEAD_MOST,
    broadcast_announce,
    broadcast_end,
    broadcast_premiere_allowed,
    broadcast_premiere_move,
)
from matches.airing.views import broadcast_may_be_announced
from matches.models import Broadcast, Match
from matches.visibility import matches_visible, visibility_runs_match
from web.api_errors import Refused, api_error_descriptions
from web.api_examples import api_example_shown, serializer_example
from web.api_view import Item, JSONBody, OneOf

ERRORS: Final = api_error_descriptions(400, 401, 403, 404, 409, 503)


@api_example_shown(tempo="story", airs_at=None, air_ends_at=None)
class BroadcastSerializer(serializers.ModelSerializer[Match]):
    """How a match is broadcast: the tempo, and the earliest start. An empty tempo means that it is not broadcast."""

    tempo = OneOf(choices=Broadcast.choices, allow_blank=True)

    class Meta:
        model = Match
        fields = ("tempo", "premieres_at", "airs_at", "air_ends_at")
        read_only_fields = fields


@serializer_example(tempo="story", premieres_at="2027-01-30T19:00:00Z")
class AnnouncementSerializer(serializers.Serializer[Any]):
    """The query parameters."""

    tempo = OneOf(
        choices=Broadcast.choices,
        allow_blank=True,
        required=False,
        help_text="Can be changed until the match is being played. Later it need not be sent.",
    )
    premieres_at = serializers.DateTimeField(
        required=False,
        allow_null=True,
        default=None,
        help_text="Earliest start; null: as soon as the match has been played.",
    )

    def validate_premieres_at(self, premieres_at: Any) -> Any:
        if not broadcast_premiere_allowed(premieres_at=premieres_at):
            sentence = _("A premiere must be in the future, at most %(days)d days ahead.")
            raise serializers.ValidationError(sentence % {"days": AHEAD_MOST.days})
        return premieres_at

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["premieres_at"] and attrs.get("tempo") == "":
            raise serializers.ValidationError({"tempo": _("Choose how the match is broadcast at its premiere.")})
        return attrs


class BroadcastView(Item):
    """The broadcast of a match, for people who run the match."""

    serializer_class: Any = BroadcastSerializer
    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody,)

    def get_object(self) -> Match:
        match = get_object_or_404(matches_visible(self.request.user), pk=self.kwargs["pk"])
        if not visibility_runs_match(self.request.user, match):
            raise PermissionDenied(_("Only those who run this match can do this."))
        return match

    @extend_schema(
        summary="Announce or move a broadcast",
        description="Idempotent. 409 `changed`: the broadcast has begun, or is over.",
        request=AnnouncementSerializer,
        responses={200: BroadcastSerializer, **ERRORS},
    )
    def put(self, request: Request, pk: int) -> Response:
        match = self.get_object()
        sent = AnnouncementSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        tempo, premieres_at = sent.validated_data.get("tempo"), sent.validated_data["premieres_at"]
        chosen = Match.objects.filter(pk=pk)
        if broadcast_may_be_announced(match):
            wanted = match.tempo if tempo is None else tempo
            if premieres_at and not wanted:
                raise Refused("invalid", _("Choose how the match is broadcast at its premiere."), "tempo")
            done = broadcast_announce(matches=chosen, tempo=wanted, premieres_at=premieres_at)
        else:
            done = (
                0
                if tempo not in (None, match.tempo)
                else broadcast_premiere_move(matches=chosen, premieres_at=premieres_at)
            )
        return self._answer(match, bool(done))

    @extend_schema(
        summary="End a broadcast",
        description="Shows the result at once. 409 `changed`: the match is not on air.",
        request=None,
        responses={200: BroadcastSerializer, **ERRORS},
    )
    def delete(self, request: Request, pk: int) -> Response:
        match = self.get_object()
        return self._answer(match, broadcast_end(match_id=pk, at_once=True))

    def _answer(self, match: Match, done: bool) -> Response:
        if not done:
            detail = _("It is too late for that: the broadcast has begun or is over.")
            raise Refused("changed", detail, status_code=status.HTTP_409_CONFLICT)
        match.refresh_from_db()
        return Response(self.get_serializer(match).data)
