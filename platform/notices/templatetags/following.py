"""The button with which a page lets its reader follow what it is about."""

from typing import Any

from django import template

from notices.following import is_following

register = template.Library()


@register.inclusion_tag("notices/follow_button.html", takes_context=True)
def follow_button(context: template.Context, kind: str, followed: Any) -> dict[str, Any]:
    """Return what the button needs: nothing, and no query, for who is not signed in."""
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
