"""What a page follows."""

from django import template

from web.topics import topic_ticket

register = template.Library()


@register.simple_tag
def live_topic(kind: str, pk: int) -> str:
    """Return the ticket that lets a reader of this page hear of ``kind`` number ``pk``: only for what the reader may
    see.
    """
    return topic_ticket(f"{kind}.{pk}")
