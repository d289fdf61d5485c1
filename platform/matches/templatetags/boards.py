"""Template tags for pictures of matches, and titles and colours of games."""

from typing import Any

from django import template
from django.utils.safestring import SafeString, mark_safe

from contests.game_settings_form import game_settings_colour as colour_of
from matches.pages.labels import game_label

register = template.Library()


@register.simple_tag
def drawn(board: Any) -> SafeString:
    """Return the picture of a board as safe HTML. The platform drew it and escaped all names."""
    svg: str = board.svg
    return mark_safe(svg)  # noqa: S308


@register.simple_tag
def game_title(game: str) -> str:
    """Return the title of a game. ``game`` is its name, or the id of a ruleset."""
    return game_label(game)


@register.simple_tag
def game_colour(game: str) -> str:
    """Return the name of a game's colour. ``game`` is its name, or the id of a ruleset."""
    return colour_of(game.partition("/")[0])
