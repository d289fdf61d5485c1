"""A template test for bots of the user and of their teams."""

from typing import Any

from django import template

from teams.selectors import team_owner_keys

register = template.Library()


@register.filter
def acted_for_by(owner_id: int, user: Any) -> bool:
    """Return whether ``user`` acts for the owner. The user's teams are read once for a page."""
    cached: frozenset[int] | None = getattr(user, "_owner_keys", None)
    if cached is None:
        cached = team_owner_keys(user)
        if user.pk is not None:
            user._owner_keys = cached
    return owner_id in cached
