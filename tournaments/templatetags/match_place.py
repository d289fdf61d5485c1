"""Between matches and tournaments: where a match belongs, and which of a tournament's have a page for the reader."""

from collections.abc import Container
from typing import Any

from django import template
from django.contrib.auth.models import AnonymousUser

from matches.models import Match
from tournaments.models import Tournament
from tournaments.selectors.ruling_log import whereabouts_of
from tournaments.selectors.visible import matches_readable, may_rule, may_see_results

register = template.Library()


@register.inclusion_tag("tournaments/parts/match_place.html", takes_context=True)
def match_place(context: template.Context, match: Match) -> dict[str, Any]:
    """Links to its tournament and to why these bots met, and a notice for each ruling; nothing for a match of no
    tournament. Whoever may look at the match may know this."""
    place = whereabouts_of(match)
    if place is None:
        return {"place": None}
    user = context.get("user") or AnonymousUser()
    explained = place.fixture is not None and place.fixture.round.stage.draws_one_by_one
    return {
        "place": place,
        "rules": may_rule(user, place.tournament),
        "told": explained and may_see_results(user, place.tournament),
    }


@register.simple_tag(takes_context=True)
def readable_matches(context: template.Context, tournament: Tournament) -> Container[int]:
    """Of those that pages of the tournament name: a link to any other would lead nowhere."""
    return matches_readable(context.get("user") or AnonymousUser(), tournament)
