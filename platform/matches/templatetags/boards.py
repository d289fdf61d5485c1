"""Small pictures of matches in pages."""

from typing import Any

from django import template
from django.utils.safestring import SafeString, mark_safe

from contests.game_settings_form import game_settings_colour as colour_of
from matches.pages.labels import game_label

register = template.Library()


@register.simple_tag
def drawn(board: Any) -> SafeString:
    """Return the picture of a board. The engine made it, and escaped every name in it."""
    svg: str = board.svg
    return mark_safe(svg)  # noqa: S308


@register.simple_tag
def game_title(game: str) -> str:
    """Return what the game of a name, or of a ruleset's id, is called."""
    return game_label(game)


@register.simple_tag
def game_colour(game: str) -> str:
    """Return the name of the colour of a game, by its name or a ruleset's id."""
    return colour_of(game.partition("/")[0])
