"""How long the matches of a stage, or of anything else with blocks and a stopping rule, last."""

from typing import Protocol

from django import template

from matches.series_words import length_sentence

register = template.Library()


class HasLength(Protocol):
    stopping: dict[str, object]
    blocks: int


@register.filter
def series_length(played: HasLength) -> str:
    """The announced length of each match."""
    return length_sentence(played.stopping, played.blocks)
