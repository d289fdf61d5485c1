"""The ceremony of a tournament over the API."""

from collections.abc import Callable
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.parsers import FormParser, MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from contests.actions import ERRORS, operation
from tournaments.actions import ACTIONS, AnnouncedCeremonySerializer, CeremonySerializer
from tournaments.entering_api import SignedInToWrite
from tournaments.selectors.pages.ceremony import CeremonyShown, ceremony_shown
from tournaments.views.lookups import shown_ceremony
from web.api_view import Item, JSONBody

ANNOUNCE, CANCEL = ACTIONS["ceremony-announce"], ACTIONS["ceremony-cancel"]


def shown_of(request: Request, slug: str) -> Any:
    """Return the ceremony of the tournament of this address, as it now is."""
    return CeremonySerializer(ceremony_shown(shown_ceremony(request, slug))).data


def ceremony_act(act: str) -> Callable[..., Response]:
    """Return the operation of an act in a ceremony: "start", "advance", "pace" or "accept"."""
    return operation(
        ACTIONS[f"ceremony-{act}"],
        CeremonySerializer,
        shown=shown_of,
        operation_id=f"tournaments_ceremony_{act}",
        status_code=status.HTTP_200_OK,
    )


class CeremonyView(Item):
    """The ceremony at which the ranks of a tournament are revealed, from the last place up: what of it was revealed."""

    serializer_class = CeremonySerializer
    permission_classes = (SignedInToWrite,)
    parser_classes = (JSONBody, FormParser, MultiPartParser)
    write_scope = "organise"

    def get_object(self) -> CeremonyShown:
        return ceremony_shown(shown_ceremony(self.request, self.kwargs["slug"]))

    @extend_schema(
        summary=ANNOUNCE.summary,
        description=ANNOUNCE.description,
        request=AnnouncedCeremonySerializer,
        responses={200: CeremonySerializer, **ERRORS},
    )
    def put(self, request: Request, slug: str) -> Response:
        tournament = ANNOUNCE.who(request, slug)
        asked = AnnouncedCeremonySerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        ANNOUNCE.do(request, tournament, **asked.validated_data)
        return Response(shown_of(request, slug))

    @extend_schema(summary=CANCEL.summary, description=CANCEL.description, responses={204: None, **ERRORS})
    def delete(self, request: Request, slug: str) -> Response:
        CANCEL.do(request, CANCEL.who(request, slug))
        return Response(status=status.HTTP_204_NO_CONTENT)
