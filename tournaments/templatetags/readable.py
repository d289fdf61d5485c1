"""Which matches of a tournament have a page for the reader."""

from collections.abc import Container

from django import template
from django.contrib.auth.models import AnonymousUser

from tournaments.models import Tournament
from tournaments.selectors.entering.visible import matches_readable

register = template.Library()


@register.simple_tag(takes_context=True)
def readable_matches(context: template.Context, tournament: Tournament) -> Container[int]:
    """Return which of the matches that pages of the tournament name the reader may open: a link to any other would lead
    nowhere.
    """
    return matches_readable(context.get("user") or AnonymousUser(), tournament)
