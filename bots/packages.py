"""Where the bytes of uploads lie: in the database, or with ``PACKAGES_URL`` in an object storage of the site's own.

An object's name is made of the digest of its bytes and of chance, and stands in one row: it goes when the row has gone.
What is left behind by a process that ended in between, ``strays_drop`` finds.
"""

import hashlib
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import lru_cache, partial
from io import BytesIO
from typing import IO, Final

from django.conf import settings
from django.core.files import File
from django.core.files.storage import Storage, storages
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from bots.models import BotPackage

STORAGE: Final = "packages"
STRAY_AFTER: Final = timedelta(days=1)  # an upload whose row is still being written is younger
CACHED: Final = 64  # packages that a process holds: a worker plays the same bots again and again


class PackageAway(ConnectionError):
    """The object storage does not answer, or has not what was put there. Nobody's mistake; pages answer it with 503."""


def stored_outside() -> bool:
    """Tell whether new uploads go to an object storage."""
    return STORAGE in settings.STORAGES


def package_keep(*, version_id: int, data: bytes) -> BotPackage:
    """Keep the bytes of a version's upload.

    Raises:
        PackageAway: the object storage did not take them.
    """
    if not stored_outside():
        return BotPackage.objects.create(version_id=version_id, content=data)
    return BotPackage.objects.create(version_id=version_id, stored_as=_put_anew(data))


def package_bytes(package: BotPackage) -> bytes:
    """Return the very bytes that were uploaded.

    Raises:
        PackageAway: the object storage does not answer, or answers with other bytes.
    """
    return _fetched(package.stored_as) if package.stored_as else bytes(package.content or b"")


def packages_drop(packages: QuerySet[BotPackage]) -> None:
    """Delete the rows, and when that is committed their objects; those that cannot be reached then are strays."""
    names = list(packages.exclude(stored_as="").values_list("stored_as", flat=True))
    packages.delete()
    if names:
        transaction.on_commit(partial(_drop, names), robust=True)


def strays_drop() -> int:
    """Drop the objects that no row names and that are older than ``STRAY_AFTER``; return how many there were."""
    if not stored_outside():
        return 0
    with _away("its list"):
        found = _storage().listdir("")[1]
    named = set(BotPackage.objects.exclude(stored_as="").values_list("stored_as", flat=True))
    with _away("a date"):
        old = timezone.now() - STRAY_AFTER
        strays = [name for name in found if name not in named and _storage().get_modified_time(name) < old]
    _drop(strays)
    return len(strays)


def packages_move(*, back: bool) -> int:
    """Move every package of the database into the object storage, or ``back``; return how many. May be repeated.

    Raises:
        PackageAway: the object storage does not answer; what was moved stays so.
    """
    moved = 0
    for package in (BotPackage.objects.exclude if back else BotPackage.objects.filter)(stored_as="").iterator(100):
        data = package_bytes(package)
        name = "" if back else _put_anew(data)
        still = BotPackage.objects.filter(pk=package.pk, stored_as=package.stored_as)
        changed = still.update(content=data if back else None, stored_as=name)
        if left := [one for one in (package.stored_as if changed else name,) if one]:
            _drop(left)
        moved += changed
    return moved


def object_put(name: str, data: IO[bytes]) -> None:
    """Put the bytes of ``data`` into the storage under this name.

    Raises:
        PackageAway: it did not take them.
    """
    with _away(name):
        _storage().save(name, File(data))


def object_read(name: str) -> bytes:
    """Return the bytes of an object.

    Raises:
        PackageAway: the storage does not answer, or answers with other bytes than were put there.
    """
    with _away(name), _storage().open(name) as file:
        data: bytes = file.read()
    if hashlib.sha256(data).hexdigest() != name.partition("-")[0]:
        raise PackageAway(f"the object storage answers with other bytes than {name} had")
    return data


_fetched = lru_cache(maxsize=CACHED)(object_read)


def _put_anew(data: bytes) -> str:
    name = f"{hashlib.sha256(data).hexdigest()}-{secrets.token_hex(8)}"
    object_put(name, BytesIO(data))
    return name


def _drop(names: Iterable[str]) -> None:
    for name in names:
        with _away(name):
            _storage().delete(name)


def _storage() -> Storage:
    return storages[STORAGE]


@contextmanager
def _away(name: str) -> Iterator[None]:
    # Each library of storage has errors of its own, and we import none of them.
    try:
        yield
    except Exception as error:
        raise PackageAway(f"the object storage failed with {name}: {type(error).__name__}: {error}") from error
