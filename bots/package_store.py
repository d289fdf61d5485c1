"""The object storage of uploads, where the site has one: bytes under names made of their digest and of chance."""

import hashlib
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import lru_cache
from io import BytesIO
from typing import IO, Final

from django.conf import settings
from django.core.files import File
from django.core.files.storage import Storage, storages

STORAGE: Final = "packages"
CACHED: Final = 64  # objects that a process holds: a worker plays the same bots again and again


class PackageAway(ConnectionError):
    """The object storage does not answer, or has not what was put there. Nobody's mistake; pages answer it with 503."""


def stored_outside() -> bool:
    """Tell whether there is an object storage, to which new uploads go."""
    return STORAGE in settings.STORAGES


def object_put_new(data: bytes) -> str:
    """Put the bytes into the storage and return the name of the object.

    Raises:
        PackageAway: it did not take them.
    """
    name = f"{hashlib.sha256(data).hexdigest()}-{secrets.token_hex(8)}"
    object_put(name, BytesIO(data))
    return name


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


object_fetched = lru_cache(maxsize=CACHED)(object_read)


def objects_older(than: datetime, *, but: Iterable[str]) -> list[str]:
    """Return the names of the objects that were put there before ``than``, without those of ``but``."""
    with _away("its list"):
        found = set(_storage().listdir("")[1]).difference(but)
        return [name for name in found if _storage().get_modified_time(name) < than]


def objects_drop(names: Iterable[str]) -> None:
    """Delete the objects.

    Raises:
        PackageAway: some are there still.
    """
    for name in names:
        with _away(name):
            _storage().delete(name)


def _storage() -> Storage:
    return storages[STORAGE]


@contextmanager
def _away(name: str) -> Iterator[None]:
    # Each client of a storage has errors of its own, and we import none of them.
    try:
        yield
    except Exception as error:
        raise PackageAway(f"the object storage failed with {name}: {type(error).__name__}: {error}") from error
