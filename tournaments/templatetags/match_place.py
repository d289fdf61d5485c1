"""On the page of a match: which tournament it belongs to, and what was ruled on it."""

from typing import Any

from django import template
from django.contrib.auth.models import AnonymousUser

from matches.models import Match
from tournaments.selectors.ruling_log import whereabouts_of
from tournaments.selectors.visible import may_rule

register = template.Library()


@register.inclusion_tag("tournaments/parts/match_place.html", takes_context=True)
def match_place(context: template.Context, match: Match) -> dict[str, Any]:
    """A link to its tournament and a notice for each ruling; nothing for a match of no tournament. Whoever may look at
    the match may know this."""
    place = whereabouts_of(match)
    user = context.get("user") or AnonymousUser()
    return {"place": place, "rules": place is not None and may_rule(user, place.tournament)}
