"""Who runs a league."""

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

from leagues.models import Exclusion, ExclusionBy, League


def may_run(user: AbstractBaseUser | AnonymousUser, league: League) -> bool:
    """Tell whether ``user`` is the league's organiser or staff."""
    return user.pk is not None and (user.pk == league.organiser_id or bool(getattr(user, "is_staff", False)))


def may_let_in(user: AbstractBaseUser | AnonymousUser, league: League, taken_out: Exclusion) -> bool:
    """Tell whether ``user`` may let a bot in again: staff, and the organiser unless staff took it out."""
    is_staff = user.pk is not None and bool(getattr(user, "is_staff", False))
    return is_staff or (user.pk == league.organiser_id and taken_out.by == ExclusionBy.ORGANISER)
