"""The person who may run tournaments on a site that has just been set up."""

import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.accounts.models import User

NAME: Final = "organiser"


@dataclass(frozen=True, slots=True)
class SignIn:
    """``password`` is None once it has been changed on the site: then only its owner knows it."""

    name: str
    password: str | None


def organiser_ensure(*, kept_in: Path) -> SignIn:
    """Make the organiser if there is none, with a password of its own that is kept in a file for its owner only."""
    user, is_new = User.objects.get_or_create(
        username=NAME, defaults={"is_organiser": True, "is_staff": True, "is_superuser": True}
    )
    if is_new:
        password = secrets.token_urlsafe(9)
        kept_in.unlink(missing_ok=True)
        with os.fdopen(os.open(kept_in, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(password + "\n")
        user.set_password(password)
        user.save(update_fields=["password"])
        return SignIn(NAME, password)
    password = kept_in.read_text().strip() if kept_in.exists() else ""
    return SignIn(NAME, password if password and user.check_password(password) else None)
