"""Template tag for the slots of a page, see ``web.panels``."""

from typing import Any

from django import template
from django.utils.safestring import SafeString

from web.panels import panels_drawn

register = template.Library()


@register.simple_tag(takes_context=True)
def panels(context: template.Context, slot: str, shown: Any) -> SafeString:
    """Render the panels that other apps have registered for the slot."""
    return panels_drawn(slot, context, shown)
