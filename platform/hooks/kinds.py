"""What a webhook may be told of. The rooms above register their kinds when they start (decision 10)."""

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
    label: Any  # translated when it is shown
    document: type[serializers.Serializer[Any]]


_KINDS: Final[dict[str, Kind]] = {}


def kind_register(name: str, label: Any, document: type[serializers.Serializer[Any]]) -> None:
    """Let people choose to be told of ``name`` ("match.finished"), with ``data`` as ``document`` describes them."""
    _KINDS[name] = Kind(name, label, document)


def kinds_known() -> Mapping[str, Kind]:
    """Return every kind by its name, in the order of the names."""
    return MappingProxyType(dict(sorted(_KINDS.items())))


def kinds_chosen() -> list[tuple[str, Any]]:
    """Return the kinds that a person chooses from, with their labels; a test is sent whatever was chosen."""
    return [(kind.name, kind.label) for kind in kinds_known().values() if kind.name != TEST]
