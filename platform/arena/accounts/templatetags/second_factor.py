"""What account pages say of a second factor."""

from typing import Any

from django import template
from django.contrib.auth.models import AnonymousUser

from arena.accounts.models import User
from arena.accounts.second_factor import has_second_factor, is_recommended, is_required

register = template.Library()


@register.simple_tag
def second_factor_of(user: User | AnonymousUser) -> dict[str, Any]:
    """Return whether ``user`` has one (``is_on``), must have one and should have one."""
    return {
        "is_on": has_second_factor(user),
        "is_required": is_required(user),
        "is_recommended": is_recommended(user),
    }
