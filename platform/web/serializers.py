"""What serializers of several rooms share: whole addresses, games and verdicts as choices."""

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
    """A game in a query. Checked, it is a filter for whatever has a ``ruleset``: all queries here name fields so."""

    def __init__(self) -> None:
        super().__init__(choices=GAME_CHOICES, source="ruleset__startswith", required=False, help_text="Of this game.")

    def to_internal_value(self, data: Any) -> str:
        return f"{super().to_internal_value(data)}/"


def serializer_address(serializer: serializers.BaseSerializer[Any], name: str, *args: Any) -> str:
    """Return the whole address of a page or of another part of the API."""
    return str(serializer.context["request"].build_absolute_uri(reverse(name, args=args)))
