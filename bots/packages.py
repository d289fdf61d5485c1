"""Where the bytes of uploads lie: in the database, or with ``PACKAGES_URL`` in an object storage of the site's own.

An object's name stands in one row, and it goes when the row has gone. What is left behind by a process that ended in
between, ``strays_drop`` finds.
"""

from datetime import timedelta
from functools import partial
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from bots.models import BotPackage
from bots.package_store import object_put_new, objects_drop, objects_older, stored_outside

STRAY_AFTER: Final = timedelta(days=1)  # an upload whose row is still being written is younger


def package_keep(*, version_id: int, data: bytes, sketch: bytes | None = None) -> BotPackage:
    """Keep the bytes of a version's upload, and the sample of its program.

    Raises:
        PackageAway: the object storage did not take them.
    """
    if not stored_outside():
        return BotPackage.objects.create(version_id=version_id, content=data, sketch=sketch)
    return BotPackage.objects.create(version_id=version_id, stored_as=object_put_new(data), sketch=sketch)


def packages_drop(packages: QuerySet[BotPackage]) -> None:
    """Delete the rows, and when that is committed their objects; those that cannot be reached then are strays."""
    names = list(packages.exclude(stored_as="").values_list("stored_as", flat=True))
    packages.delete()
    if names:
        transaction.on_commit(partial(objects_drop, names), robust=True)


def strays_drop() -> int:
    """Drop the objects that no row names and that are older than ``STRAY_AFTER``; return how many there were."""
    if not stored_outside():
        return 0
    named = BotPackage.objects.exclude(stored_as="").values_list("stored_as", flat=True)
    strays = objects_older(timezone.now() - STRAY_AFTER, but=named)
    objects_drop(strays)
    return len(strays)


def packages_move(*, back: bool) -> int:
    """Move every package of the database into the object storage, or ``back``; return how many. May be repeated.

    Raises:
        PackageAway: the object storage does not answer; what was moved stays so.
    """
    moved = 0
    for package in (BotPackage.objects.exclude if back else BotPackage.objects.filter)(stored_as="").iterator(100):
        data = package.read()
        name = "" if back else object_put_new(data)
        still = BotPackage.objects.filter(pk=package.pk, stored_as=package.stored_as)
        changed = still.update(content=data if back else None, stored_as=name)
        if left := [one for one in (package.stored_as if changed else name,) if one]:
            objects_drop(left)
        moved += changed
    return moved
