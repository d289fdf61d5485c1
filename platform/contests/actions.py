"""Actions on contests. Each is declared once. The button of a page and an operation of the API both use it."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpRequest
from django.urls import URLPattern, path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from web.api_errors import api_error_descriptions
from web.api_view import API
from web.errors import Refusal
from web.requests import request_user

ERRORS: Final = api_error_descriptions(400, 401, 403, 404, 409, 429, 503)


class AlreadyDone(Exception):
    """The contest is already in a state to which the action leads, for example after a second click."""


@dataclass(frozen=True, slots=True)
class Action:
    """An action on a contest or a part of it.

    ``who`` takes the request and the parts of its address. It returns the object of the action, and refuses users who
    may not act. ``service`` does the action. It gets the object as the keyword argument that ``to`` names, and the
    values of the request as further keywords. With ``is_signed``, it also gets the user as ``by``.

    ``body`` parses the body of an API request. ``leads_to`` has the states of the object in which there is nothing left
    to do. ``summary`` and ``description`` are texts for the operation of the API.
    """

    who: Callable[..., Any]
    service: Callable[..., Any]
    to: str
    summary: str
    description: str = "For the organiser."
    body: type[serializers.Serializer[Any]] | None = None
    is_signed: bool = False
    leads_to: frozenset[str] = frozenset()

    def do(self, request: HttpRequest | Request, found: Any, **values: Any) -> Any:
        """Apply the action to ``found``, the object from ``who``. Return the result of the service.

        Raises:
            AlreadyDone: the action was done before. ``found`` was read again, and is up to date.
            Refusal: see the service.
        """
        signed = {"by": request_user(request)} if self.is_signed else {}
        try:
            return self.service(**{self.to: found}, **values, **signed)
        except Refusal as error:
            if error.code != "wrong_state" or not self.leads_to:
                raise
            found.refresh_from_db()
            if found.state not in self.leads_to:
                raise
            raise AlreadyDone from error


def action_operation(
    action: Action,
    answer: type[serializers.Serializer[Any]] | None = None,
    *,
    shown: Callable[[Request, str], Any] | None = None,
    operation_id: str | None = None,
    status_code: int = status.HTTP_204_NO_CONTENT,
    errors: Mapping[Any, Any] = ERRORS,
) -> Callable[..., Response]:
    """Return a method of an API view that does ``action``.

    It answers with the result of the service, or with the contest that ``shown`` reads by its slug.
    """

    @extend_schema(
        operation_id=operation_id,
        summary=action.summary,
        description=action.description,
        request=action.body,
        responses={status_code: answer, **errors},
    )
    def method(_view: API, request: Request, slug: str, **address: Any) -> Response:
        found, values, result = action.who(request, slug, **address), {}, None
        if action.body is not None:
            sent = action.body(data=request.data)
            sent.is_valid(raise_exception=True)
            values = sent.validated_data
        with suppress(AlreadyDone):
            result = action.do(request, found, **values)
        data = shown(request, slug) if shown else answer(result).data if answer else None
        return Response(data, status=status_code)

    made: Callable[..., Response] = method
    return made


def action_api_view(scope: str = "organise", **methods: Callable[..., Response]) -> Any:
    """Return an API view that has only these operations. ``methods`` has them by HTTP method."""
    fields = {"permission_classes": (IsAuthenticated,), "write_scope": scope, **methods}
    view: type[API] = type("ActionView", (API,), fields)
    return view.as_view()


def action_button_paths(buttons: Mapping[str, Action], prefix: str, *answered: Any, **more: Any) -> list[URLPattern]:
    """Return the URL patterns of the buttons' operations. Their ids in the schema begin with ``prefix``."""

    def view(name: str, action: Action) -> Any:
        called = f"{prefix}_{name.replace('-', '_')}"
        return action_api_view(
            post=action_operation(action, *answered, operation_id=called, status_code=status.HTTP_200_OK, **more)
        )

    return [path(f"<slug:slug>/{name}/", view(name, action), name=name) for name, action in buttons.items()]
