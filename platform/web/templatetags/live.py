"""Template tags for pages that follow topics."""

from django import template

from web.topics import topic_ticket

register = template.Library()


@register.simple_tag
def live_topic(kind: str, pk: int) -> str:
    """Return a ticket to follow ``kind`` number ``pk`` with. Use it only for what the reader of the page may see."""
    return topic_ticket(f"{kind}.{pk}")
