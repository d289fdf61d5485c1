"""Prepare the start on one machine: collect static files if any has changed, and create the first organiser."""

import hashlib
import os
import secrets
import shutil
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from typing import Final

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.management import call_command

from arena.accounts.backends import account_named
from arena.accounts.models import User
from web import pyodide

NAME: Final = "organiser"


@dataclass(frozen=True, slots=True)
class SignIn:
    """The name and the password of the first organiser. ``password`` is None once it was changed on the site."""

    name: str
    password: str | None
    is_new: bool = False


def preparation_organiser_ensure(*, kept_in: Path) -> SignIn:
    """Create the organiser if there is none. The random password is written to the file ``kept_in``, which only this
    user of the machine can read.

    The name is reserved for the organiser. An account from before it was reserved may have it; then the organiser's
    name gets a number.
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
        user = account_named(name)
        if user is None:
            return User.objects.create(username=name, is_organiser=True, is_staff=True, is_superuser=True), True
        if user.is_superuser:
            return user, False
    raise AssertionError("unreachable")


STAMP: Final = ".collected"
UNUSED: Final = ("redoc", "swagger-ui-es-*", "rest_framework")  # files of packages that no page uses


def preparation_static_files_collect() -> None:
    """Collect, hash and compress the static files into ``STATIC_ROOT``, if any has changed since the last time."""
    root = Path(settings.STATIC_ROOT)
    now = _state()
    stamp = root / STAMP
    if stamp.is_file() and stamp.read_text() == now:
        return
    call_command("collectstatic", interactive=False, clear=True, verbosity=0, ignore_patterns=list(UNUSED))
    stamp.write_text(now)


def preparation_playground_collect() -> bool:
    """Copy files that npm has installed since the static files were collected. Return False if there are none."""
    parts = (pyodide.pyodide_version, pyodide.pyodide_snapshot, pyodide.pyodide_editor)
    before = [part() for part in parts]
    for part in parts:
        part.cache_clear()
    if [part() for part in parts] == before:
        return False
    finder, root = pyodide.PyodideFinder(), Path(settings.STATIC_ROOT)
    for name, storage in finder.list([]):
        copy = root / storage.prefix / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(storage.path(name), copy)
    (root / STAMP).write_text(_state())
    return True


def _state() -> str:
    digest = hashlib.sha256()
    for finder in finders.get_finders():
        for path, storage in finder.list(list(UNUSED)):
            found = Path(storage.path(path)).stat()
            digest.update(f"{path} {found.st_size} {found.st_mtime_ns}\n".encode())
    return digest.hexdigest()
