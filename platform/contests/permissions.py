"""Who may create tournaments and leagues."""

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _


class NotAnOrganiser(PermissionDenied):
    """The user is neither an organiser nor staff, and may not create tournaments or leagues."""

    def __init__(self) -> None:
        super().__init__(_("Only organisers create tournaments and leagues."))


def may_organise(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Return whether ``user`` may create tournaments and leagues. Active organisers and staff may."""
    return user.is_active and bool(getattr(user, "is_organiser", False) or getattr(user, "is_staff", False))


def organiser_permission_require(user: AbstractBaseUser | AnonymousUser) -> None:
    """Require that ``user`` may create tournaments and leagues.

    Raises:
        NotAnOrganiser: ``user`` is neither an organiser nor staff.
    """
    if not may_organise(user):
        raise NotAnOrganiser
