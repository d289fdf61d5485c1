"""A template tag that draws dice, cards and tiles in a line of text."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from games.catalogue import GAMES

register = template.Library()


@register.simple_tag
def pieces(game: str, *texts: object) -> SafeString:
    """Draw the pieces of ``game`` named by ``texts``, each a text or a list of texts, as pictures with an accessible
    label."""
    named = [str(one) for text in texts for one in (text if isinstance(text, list | tuple) else [text])]
    drawn = mark_safe("".join(map(GAMES[game].piece, named)))  # noqa: S308  the game's code escapes what it draws
    return format_html('<span class="pieces" role="img" aria-label="{}">{}</span>', " ".join(named), drawn)
