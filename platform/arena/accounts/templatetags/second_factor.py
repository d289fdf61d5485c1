"""A template tag with a user's second factor."""

from typing import Any

from django import template
from django.contrib.auth.models import AnonymousUser

from arena.accounts.models import User
from arena.accounts.passkeys import PASSKEYS_MOST
from arena.accounts.second_factor import has_second_factor, second_factor_is_recommended, second_factor_is_required

register = template.Library()


@register.simple_tag
def second_factor_of(user: User | AnonymousUser) -> dict[str, Any]:
    """Return whether ``user`` has a second factor (``is_on``), whether one is required, whether one is recommended, and
    the largest number of passkeys.
    """
    return {
        "is_on": has_second_factor(user),
        "is_required": second_factor_is_required(user),
        "is_recommended": second_factor_is_recommended(user),
        "passkeys_most": PASSKEYS_MOST,
    }
