"""The kinds of events for webhooks and notices. Apps in higher rooms register theirs when they start (decision 10)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

TEST: Final = "hook.test"


class KindSection(TextChoices):
    """The heading of a group of kinds on pages, in order."""

    BOTS = "bots", _("My bots")
    TOURNAMENTS = "tournaments", _("Tournaments")
    LEAGUES = "leagues", _("Leagues")
    GROUPS = "groups", _("Groups and announcements")
    FOLLOWING = "following", _("Following")
    ORGANISING = "organising", _("Organising and webhooks")


Sentence: TypeAlias = Callable[[Mapping[str, Any]], str]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of event: its name, its label, the serializer of its ``data``, and the sentence about one event.

    ``sentence`` takes the ``data`` and returns text in the current language. ``is_quiet`` tells that the events are too
    frequent to be notices by default. ``email`` is the default of when emails are sent. ``email_more`` returns
    additional text of an email, below the sentence and the link.
    """

    name: str
    label: Any  # translated when it is rendered
    document: type[serializers.Serializer[Any]]
    sentence: Sentence
    is_quiet: bool = False
    email: str = "never"
    email_more: Sentence | None = None
    section: KindSection = KindSection.BOTS


_KINDS: Final[dict[str, Kind]] = {}


def hook_kind_register(
    name: str,
    label: Any,
    document: type[serializers.Serializer[Any]],
    sentence: Sentence,
    *,
    is_quiet: bool = False,
    email: str = "never",
    email_more: Sentence | None = None,
    section: KindSection = KindSection.BOTS,
) -> None:
    """Register the kind ``name``, such as "match.finished", with ``document`` as the serializer of its ``data``."""
    _KINDS[name] = Kind(name, label, document, sentence, is_quiet, email, email_more, section)


def hook_kinds_known() -> Mapping[str, Kind]:
    """Return every kind by name, sorted."""
    return MappingProxyType(dict(sorted(_KINDS.items())))


def hook_kinds_offered() -> list[tuple[str, Any]]:
    """Return the kinds that a user can choose, with their labels. Tests are not among them; they are always sent."""
    return [(kind.name, kind.label) for kind in hook_kinds_known().values() if kind.name != TEST]


def hook_kinds_by_section() -> list[tuple[Any, list[tuple[str, Any]]]]:
    """Return the kinds of ``hook_kinds_offered`` by the headings of a form."""
    chosen = [kind for kind in hook_kinds_known().values() if kind.name != TEST]
    return [(one.label, [(kind.name, kind.label) for kind in chosen if kind.section is one]) for one in KindSection]
