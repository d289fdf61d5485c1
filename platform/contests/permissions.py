"""Who may create tournaments and leagues."""

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _


class NotAnOrganiser(PermissionDenied):
    """Somebody who is neither an organiser nor staff would create a tournament or a league."""

    def __init__(self) -> None:
        super().__init__(_("Only organisers create tournaments and leagues."))


def may_organise(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Tell whether ``user`` may create tournaments and leagues: an organiser or staff."""
    return user.is_active and bool(getattr(user, "is_organiser", False) or getattr(user, "is_staff", False))


def organiser_permission_require(user: AbstractBaseUser | AnonymousUser) -> None:
    """Refuse everyone who may not create tournaments and leagues.

    Raises:
        NotAnOrganiser: ``user`` is neither an organiser nor staff.
    """
    if not may_organise(user):
        raise NotAnOrganiser
