"""The kinds of events that webhooks receive. The rooms above register theirs when they start (decision 10)."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from rest_framework import serializers

TEST: Final = "hook.test"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of event: what it is called, how people read it, and what its ``data`` hold."""

    name: str
    label: Any  # translated when it is rendered
    document: type[serializers.Serializer[Any]]


_KINDS: Final[dict[str, Kind]] = {}


def kind_register(name: str, label: Any, document: type[serializers.Serializer[Any]]) -> None:
    """Offer the kind ``name`` ("match.finished"), whose ``data`` ``document`` describes."""
    _KINDS[name] = Kind(name, label, document)


def kinds_known() -> Mapping[str, Kind]:
    """Return every kind by its name, in the order of the names."""
    return MappingProxyType(dict(sorted(_KINDS.items())))


def kinds_chosen() -> list[tuple[str, Any]]:
    """Return the kinds that a person chooses from, with their labels; tests are always sent."""
    return [(kind.name, kind.label) for kind in kinds_known().values() if kind.name != TEST]
