"""The button with which readers follow the subject of a page."""

from typing import Any

from django import template

from notices.following import is_following

register = template.Library()


@register.inclusion_tag("notices/follow_button.html", takes_context=True)
def follow_button(context: template.Context, kind: str, followed: Any) -> dict[str, Any]:
    """Return the context of the button; empty, and without a query, for anonymous visitors."""
    user = context.get("user")
    if user is None or not user.is_authenticated:
        return {}
    request = context["request"]
    return {
        "kind": kind,
        "slug": followed.slug,
        "follows": is_following(user, kind, followed.pk),
        "next": request.path,
        "csrf_token": context.get("csrf_token"),
    }
