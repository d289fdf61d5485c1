"""Who runs a league."""

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

from leagues.models import League


def may_run(user: AbstractBaseUser | AnonymousUser, league: League) -> bool:
    """Tell whether ``user`` is the league's organiser or staff."""
    return user.pk is not None and (user.pk == league.organiser_id or bool(getattr(user, "is_staff", False)))
