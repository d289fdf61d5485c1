"""Helpers of serializers in several rooms: absolute URLs, and games as choices."""

from typing import Any, Final, TypeVar

from django.urls import reverse
from rest_framework import serializers

from games.catalogue import GAMES
from games.protocol import Verdict
from web.api_view import OneOf

GAME_CHOICES: Final = [(name, name) for name in GAMES]
VERDICTS: Final = [(one.value, one.value) for one in Verdict]

Made = TypeVar("Made", bound=type[serializers.BaseSerializer[Any]])


class GameFilter(OneOf):
    """A query parameter with a game. Its value is a condition on ``ruleset``, for models with that field."""

    def __init__(self) -> None:
        super().__init__(
            choices=GAME_CHOICES, source="ruleset__startswith", required=False, help_text="Only of this game."
        )

    def to_internal_value(self, data: Any) -> str:
        return f"{super().to_internal_value(data)}/"


def serializer_address(serializer: serializers.BaseSerializer[Any], name: str, *args: Any) -> str:
    """Return the absolute URL of a page or of another part of the API."""
    return str(serializer.context["request"].build_absolute_uri(reverse(name, args=args)))
