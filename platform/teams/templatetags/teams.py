"""Whose bots are the reader's, in templates."""

from typing import Any

from django import template

from teams.selectors import team_owner_keys

register = template.Library()


@register.filter
def acted_for_by(owner_id: int, user: Any) -> bool:
    """Tell whether ``user``, the reader of the page, acts for the owner; their teams are read once for a page."""
    kept: frozenset[int] | None = getattr(user, "_owner_keys", None)
    if kept is None:
        kept = team_owner_keys(user)
        if user.pk is not None:
            user._owner_keys = kept
    return owner_id in kept
