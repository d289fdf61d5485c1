"""How long the matches of a stage, or of anything else with blocks and a stopping rule, last, and how long it did."""

from typing import Protocol

from django import template

from matches.pages.labels import Cost, cost_rows, length_sentence
from tournaments import stage_words
from tournaments.models import Stage

register = template.Library()


class HasLength(Protocol):
    stopping: dict[str, object]
    blocks: int


@register.filter
def series_length(played: HasLength) -> str:
    """Return the announced length of each match."""
    return length_sentence(played.stopping, played.blocks)


@register.filter
def series_costs(played: HasLength) -> list[Cost]:
    """Return what that is expected to come to; nothing for a fixed length."""
    return cost_rows(played.stopping, played.blocks)


@register.filter
def ended_early(stage: Stage) -> str:
    """Say why it had fewer rounds than were announced; "" if it had not."""
    return stage_words.ended_early(stage)
