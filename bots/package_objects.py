"""The optional object storage of uploads. Object names consist of a digest of the content and random digits."""

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
CACHED: Final = 64  # objects that a process keeps in memory, because a worker plays the same bots repeatedly


class PackageAway(ConnectionError):
    """The object storage does not answer, or has lost or changed an object. Pages answer this error with 503."""


def has_package_object_storage() -> bool:
    """Return whether the site has an object storage, to which new uploads go."""
    return STORAGE in settings.STORAGES


def package_object_put_new(data: bytes) -> str:
    """Store ``data`` as a new object. Return the name of the object.

    Raises:
        PackageAway: the storage did not accept it.
    """
    name = f"{hashlib.sha256(data).hexdigest()}-{secrets.token_hex(8)}"
    package_object_put(name, BytesIO(data))
    return name


def package_object_put(name: str, data: IO[bytes]) -> None:
    """Store ``data`` as the object ``name``.

    Raises:
        PackageAway: the storage did not accept it.
    """
    with _away(name):
        _storage().save(name, File(data))


def package_object_read(name: str) -> bytes:
    """Return the content of an object.

    Raises:
        PackageAway: the storage does not answer, or the content does not match the digest.
    """
    with _away(name), _storage().open(name) as file:
        data: bytes = file.read()
    if hashlib.sha256(data).hexdigest() != name.partition("-")[0]:
        raise PackageAway(f"the object storage answers with other bytes than {name} had")
    return data


object_fetched = lru_cache(maxsize=CACHED)(package_object_read)


def package_objects_older(than: datetime, *, but: Iterable[str]) -> list[str]:
    """Return the names of the objects that were stored before ``than``, except those in ``but``."""
    with _away("its list"):
        found = set(_storage().listdir("")[1]).difference(but)
        return [name for name in found if _storage().get_modified_time(name) < than]


def package_objects_drop(names: Iterable[str]) -> None:
    """Delete objects.

    Raises:
        PackageAway: an object could not be deleted.
    """
    for name in names:
        with _away(name):
            _storage().delete(name)


def _storage() -> Storage:
    return storages[STORAGE]


@contextmanager
def _away(name: str) -> Iterator[None]:
    # Storage clients raise different errors, which are not imported here.
    try:
        yield
    except Exception as error:
        raise PackageAway(f"the object storage failed with {name}: {type(error).__name__}: {error}") from error
