"""Found a team."""

import re
from typing import Final

from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import AbstractUser
from django.db import IntegrityError, transaction
from django.utils.text import slugify

from teams.errors import BadTeamName, TeamNameTaken
from teams.models import NAME_MOST, Team, TeamAct, TeamChange, TeamMember
from teams.services.locking import place_require
from web.name_keys import name_key
from web.names import name_check

RESERVED_SLUGS: Final = ("new", "join")
# As of a person (``arena.accounts.names``), and single spaces: no person can take what has one.
NAME: Final = re.compile(r"[^\W_](?:[\w.+-]| (?! |\Z))*")


def team_create(*, by: AbstractUser, name: str) -> Team:
    """Found a team of which ``by`` is the captain.

    Raises:
        BadTeamName, TeamNameTaken, TooManyTeams: see there.
        Refusal: the name can be taken for somebody else's.
    """
    if len(name) > NAME_MOST or not NAME.fullmatch(name):
        raise BadTeamName
    name_check(name, owner_id=by.pk)
    people = get_user_model().objects
    try:
        with transaction.atomic():
            place_require(by)
            if people.filter(username_key=name_key(name)).exists():
                raise TeamNameTaken(name)
            account = people.create(username=name, is_team=True, is_active=False, password=make_password(None))
            team = Team.objects.create(account_id=account.pk, slug=_free_slug(name))
            TeamMember.objects.create(team=team, person_id=by.pk, is_captain=True)
            TeamChange.objects.create(team=team, person_id=by.pk, by_id=by.pk, act=TeamAct.FOUNDED)
    except IntegrityError as error:  # somebody took the name or the address since we looked
        raise TeamNameTaken(name) from error
    return team


def _free_slug(name: str) -> str:
    base = slugify(name)[:34].strip("-") or "team"
    taken = {*RESERVED_SLUGS, *Team.objects.filter(slug__startswith=base).values_list("slug", flat=True)}
    return next(slug for n in range(1, len(taken) + 2) if (slug := base if n == 1 else f"{base}-{n}") not in taken)
