"""The person who may run tournaments on a site that has just been set up."""

import os
import secrets
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from typing import Final

from arena.accounts.backends import person_named
from arena.accounts.models import User

NAME: Final = "organiser"


@dataclass(frozen=True, slots=True)
class SignIn:
    """``password`` is None once it has been changed on the site: then only its owner knows it."""

    name: str
    password: str | None
    is_new: bool = False


def organiser_ensure(*, kept_in: Path) -> SignIn:
    """Make the organiser if there is none, with a password of its own that is kept in a file for its owner only.

    Somebody else who has the name already, from before it was reserved, keeps it and nothing more: the organiser then
    gets the name with a number.
    """
    user, is_new = _organiser()
    if is_new:
        password = secrets.token_urlsafe(9)
        kept_in.unlink(missing_ok=True)
        with os.fdopen(os.open(kept_in, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(password + "\n")
        user.set_password(password)
        user.save(update_fields=["password"])
        return SignIn(user.username, password, is_new=True)
    password = kept_in.read_text().strip() if kept_in.exists() else ""
    return SignIn(user.username, password if password and user.check_password(password) else None)


def _organiser() -> tuple[User, bool]:
    for name in chain([NAME], (f"{NAME}-{number}" for number in count(2))):
        user = person_named(name)
        if user is None:
            return User.objects.create(username=name, is_organiser=True, is_staff=True, is_superuser=True), True
        if user.is_superuser:
            return user, False
    raise AssertionError("numbers do not end")
