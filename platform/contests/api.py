"""Asking over the API to become an organiser, and reading what became of it."""

from typing import Any, cast

from django.contrib.auth.models import AbstractUser
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from contests.actions import ERRORS
from contests.models import OrganiserRequest
from contests.services import RequestRefused, organiser_ask
from web.api_errors import Refused
from web.api_view import Item, JSONBody
from web.serializers import example


@example(reason="A cup for my class of twenty, each term.")
class OrganiserRequestSerializer(serializers.ModelSerializer[OrganiserRequest]):
    """A request to become an organiser; `is_granted` is null until staff has decided."""

    class Meta:
        model = OrganiserRequest
        fields = ("reason", "created_at", "is_granted", "decided_at")
        read_only_fields = ("created_at", "is_granted", "decided_at")


class OrganiserRequestView(Item):
    """My last request to become an organiser."""

    write_scope = "organise"
    serializer_class: Any = OrganiserRequestSerializer
    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody,)
    throttle_scope = "upload"

    def get_object(self) -> OrganiserRequest:
        requests = OrganiserRequest.objects.filter(person=cast(AbstractUser, self.request.user).pk)
        return get_object_or_404(requests[:1])

    @extend_schema(
        summary="Ask to become an organiser",
        description="409 `refused`: it was asked already, was declined less than a week ago, or need not be asked.",
        request=OrganiserRequestSerializer,
        responses={201: OrganiserRequestSerializer, **ERRORS},
    )
    def post(self, request: Request) -> Response:
        sent = self.get_serializer(data=request.data)
        sent.is_valid(raise_exception=True)
        try:
            made = organiser_ask(person=cast(AbstractUser, request.user), reason=sent.validated_data["reason"])
        except RequestRefused as error:
            raise Refused("refused", str(error), status_code=status.HTTP_409_CONFLICT) from error
        return Response(self.get_serializer(made).data, status=status.HTTP_201_CREATED)
