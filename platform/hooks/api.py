"""Webhooks over the API: the user's own only."""

from typing import Any, Final, cast

from django.contrib.auth.models import AbstractUser
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import OpenApiCallback, PolymorphicProxySerializer, extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from hooks import services
from hooks.kinds import hook_kinds_known
from hooks.models import Delivery, Hook
from hooks.selectors import hook_deliveries_of, hooks_of
from hooks.serializers import DeliverySerializer, HookSecretSerializer, HookSerializer, hook_message_serializer
from web.api_errors import api_error_descriptions
from web.api_view import API, Cursors, Item, JSONBody, Listing

ERRORS: Final = api_error_descriptions(400, 401, 403, 404, 409, 429, 503)
NO_STORE: Final = {"Cache-Control": "no-store"}  # a response with a secret must not be stored


def _messages() -> dict[str, serializers.Serializer[Any] | type[serializers.Serializer[Any]]]:
    return {name: hook_message_serializer(kind) for name, kind in hook_kinds_known().items()}


MESSAGES: Final = PolymorphicProxySerializer(
    component_name="Message",
    serializers=_messages,
    resource_type_field_name="type",
    many=False,
)
SENT: Final = OpenApiCallback(
    name="message",
    path="{$request.body#/url}",
    decorator=extend_schema(
        summary="The messages to your server",
        description="Signed by HMAC-SHA256 according to the Standard Webhooks specification, in the headers webhook-id,"
        " webhook-timestamp and webhook-signature. Answer 2xx within ten seconds. A message may be repeated with the"
        " same webhook-id.",
        request=MESSAGES,
        responses={200: None},
    ),
)


class HooksView(Listing):
    """My webhooks."""

    write_scope = "hooks"
    serializer_class: Any = HookSerializer
    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody,)
    throttle_scope = "hooks"

    def get_queryset(self) -> QuerySet[Hook]:
        return hooks_of(self.request.user)

    @extend_schema(
        summary="Create a webhook",
        description="The response has the secret with which messages are signed. It is shown only once.",
        request=HookSerializer,
        responses={201: HookSecretSerializer, **ERRORS},
        callbacks=[SENT],
    )
    def post(self, request: Request) -> Response:
        sent = HookSerializer(data=request.data, context=self.get_serializer_context())
        sent.is_valid(raise_exception=True)
        hook = services.hook_create(owner=cast(AbstractUser, request.user), **sent.validated_data)
        headers = {"Location": reverse("api-hooks:hook", args=[hook.pk]), **NO_STORE}
        data = HookSecretSerializer(hook, context=self.get_serializer_context()).data
        return Response(data, status=status.HTTP_201_CREATED, headers=headers)


class HookView(Item):
    """A webhook of mine."""

    write_scope = "hooks"
    serializer_class: Any = HookSerializer
    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody,)
    throttle_scope = "hooks"

    def get_object(self) -> Hook:
        return get_object_or_404(hooks_of(self.request.user), pk=self.kwargs["pk"])

    @extend_schema(summary="Change a webhook", request=HookSerializer, responses={200: HookSerializer, **ERRORS})
    def patch(self, request: Request, pk: int) -> Response:
        hook = self.get_object()
        sent = self.get_serializer(hook, data=request.data, partial=True)
        sent.is_valid(raise_exception=True)
        hook = services.hook_update(hook=hook, **sent.validated_data)
        return Response(self.get_serializer(hook).data)

    @extend_schema(
        summary="Delete a webhook",
        description="With its deliveries. Waiting ones are not sent.",
        responses={204: None, **ERRORS},
    )
    def delete(self, request: Request, pk: int) -> Response:
        services.hook_delete(hook=self.get_object())
        return Response(status=status.HTTP_204_NO_CONTENT)


class _Act(API):
    """The base of actions on a webhook: POST requests without a body."""

    write_scope = "hooks"
    permission_classes = (IsAuthenticated,)
    throttle_scope = "hooks"

    def hook(self) -> Hook:
        return get_object_or_404(hooks_of(self.request.user), pk=self.kwargs["pk"])

    def answer(self, made: Any, serializer: Any = HookSerializer, **headers: str) -> Response:
        return Response(serializer(made, context={"request": self.request}).data, headers=headers)


class RotateView(_Act):
    """Replace the secret."""

    @extend_schema(
        summary="Change the secret",
        description="The response has the new secret, shown only once. For a day, messages are signed with both.",
        request=None,
        responses={200: HookSecretSerializer, **ERRORS},
    )
    def post(self, request: Request, pk: int) -> Response:
        hook = services.hook_secret_rotate(hook=self.hook())
        response = self.answer(hook, HookSecretSerializer)
        response["Cache-Control"] = NO_STORE["Cache-Control"]
        return response


class PauseView(_Act):
    """Pause a webhook."""

    @extend_schema(
        summary="Pause a webhook",
        description="Events meanwhile are not sent later.",
        request=None,
        responses={200: HookSerializer, **ERRORS},
    )
    def post(self, request: Request, pk: int) -> Response:
        hook = self.hook()
        services.hook_pause(hook_id=hook.pk)
        hook.refresh_from_db()
        return self.answer(hook)


class ResumeView(_Act):
    """Resume a webhook."""

    @extend_schema(
        summary="Resume a webhook",
        description="Waiting deliveries are sent at once.",
        request=None,
        responses={200: HookSerializer, **ERRORS},
    )
    def post(self, request: Request, pk: int) -> Response:
        hook = self.hook()
        services.hook_resume(hook=hook)
        return self.answer(hook)


class TestView(_Act):
    """Send a test message."""

    @extend_schema(summary="Send a test", request=None, responses={200: DeliverySerializer, **ERRORS})
    def post(self, request: Request, pk: int) -> Response:
        return self.answer(services.hook_test_send(hook=self.hook()), DeliverySerializer)


class DeliveriesView(Listing):
    """What was sent to a webhook of mine or waits, newest first."""

    serializer_class: Any = DeliverySerializer
    permission_classes = (IsAuthenticated,)
    pagination_class = Cursors

    def get_queryset(self) -> QuerySet[Delivery]:
        return hook_deliveries_of(get_object_or_404(hooks_of(self.request.user), pk=self.kwargs["pk"]))


class SendAgainView(_Act):
    """Send a delivery again."""

    @extend_schema(
        summary="Send a delivery again",
        description="With the same text and webhook-id.",
        request=None,
        responses={200: DeliverySerializer, **ERRORS},
    )
    def post(self, request: Request, pk: int, delivery: int) -> Response:
        found = get_object_or_404(hook_deliveries_of(self.hook()), pk=delivery)
        services.hook_delivery_requeue(delivery=found)
        found.refresh_from_db()
        return self.answer(found, DeliverySerializer)
