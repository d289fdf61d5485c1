"""Storage of uploaded files: in the database, or with ``PACKAGES_URL`` in an object storage of the site.

The name of an object is in exactly one row, and the object is deleted after that row. ``stray_packages_drop`` deletes
objects that have no row because a process was interrupted.

Authors have a quota. Only the newest few refused versions keep their files.
"""

from datetime import timedelta
from functools import partial
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet, Sum, Window
from django.db.models.functions import RowNumber
from django.utils import timezone
from django.utils.translation import gettext as _

from bots.models import BotPackage, BotVersion, VersionState
from bots.package_objects import (
    has_package_object_storage,
    package_object_put_new,
    package_objects_drop,
    package_objects_older,
)
from bots.upload_errors import Problem, UploadError
from web.templatetags.numbers import bytes_shown

STRAY_AFTER: Final = timedelta(days=1)  # older than any upload whose row is still being written


def package_save(*, version_id: int, data: bytes, sketch: bytes | None = None) -> BotPackage:
    """Store the bytes of a version's upload, and the sample of its program.

    Raises:
        PackageAway: the object storage did not accept them.
    """
    if not has_package_object_storage():
        return BotPackage.objects.create(version_id=version_id, content=data, sketch=sketch)
    return BotPackage.objects.create(version_id=version_id, stored_as=package_object_put_new(data), sketch=sketch)


def packages_drop(packages: QuerySet[BotPackage]) -> None:
    """Delete the rows, and after the commit their objects. Objects that cannot be deleted become strays."""
    names = list(packages.exclude(stored_as="").values_list("stored_as", flat=True))
    packages.delete()
    if names:
        transaction.on_commit(partial(package_objects_drop, names), robust=True)


def stray_packages_drop() -> int:
    """Delete objects without a row that are older than ``STRAY_AFTER``. Return their number."""
    if not has_package_object_storage():
        return 0
    named = BotPackage.objects.exclude(stored_as="").values_list("stored_as", flat=True)
    strays = package_objects_older(timezone.now() - STRAY_AFTER, but=named)
    package_objects_drop(strays)
    return len(strays)


def packages_move(*, back: bool) -> int:
    """Move every package from the database to the object storage, or ``back``. Return their number. It may be repeated.

    Raises:
        PackageAway: the object storage does not answer. Packages that were moved stay moved.
    """
    moved = 0
    for package in (BotPackage.objects.exclude if back else BotPackage.objects.filter)(stored_as="").iterator(100):
        data = package.read()
        name = "" if back else package_object_put_new(data)
        still = BotPackage.objects.filter(pk=package.pk, stored_as=package.stored_as)
        changed = still.update(content=data if back else None, stored_as=name)
        if left := [one for one in (package.stored_as if changed else name,) if one]:
            package_objects_drop(left)
        moved += changed
    return moved


# Files of the newest refused versions of a bot are kept, so that its author can look up the errors.
REFUSED_KEPT: Final = 3


def package_bytes_stored(owner_id: int) -> int:
    """Return the total size of an author's stored files in bytes."""
    kept: int | None = BotVersion.objects.filter(bot__owner=owner_id).aggregate(kept=Sum("kept"))["kept"]
    return kept or 0


def package_quota_require(*, owner_id: int, size: int) -> None:
    """Reject a file of ``size`` bytes that exceeds the author's quota. Call it with the author's row locked.

    Raises:
        UploadError: the total would exceed ``settings.AUTHOR_BYTES_MOST``.
    """
    kept, most = package_bytes_stored(owner_id), settings.AUTHOR_BYTES_MOST
    if kept + size > most:
        raise UploadError(
            Problem.NO_ROOM,
            _("Your files take %(kept)s of %(most)s. Delete versions or bots that you no longer need.")
            % {"kept": bytes_shown(kept), "most": bytes_shown(most)},
        )


def packages_refused_prune() -> int:
    """Delete the files of refused versions except the newest ``REFUSED_KEPT`` of each bot. Return their number."""
    newest_first = Window(RowNumber(), partition_by=F("bot"), order_by=F("number").desc())
    refused = BotVersion.objects.filter(state=VersionState.REFUSED, kept__gt=0).annotate(place=newest_first)
    old = list(refused.filter(place__gt=REFUSED_KEPT).values_list("pk", flat=True))
    return version_packages_drop(BotVersion.objects.filter(pk__in=old, state=VersionState.REFUSED))


def version_packages_drop(versions: QuerySet[BotVersion]) -> int:
    """Delete the files and file names of ``versions``. Their SHA-256 and size are kept. Return the number of files."""
    with transaction.atomic():
        chosen = list(versions.filter(kept__gt=0).values_list("pk", flat=True))
        dropped = versions.filter(pk__in=chosen, kept__gt=0).update(kept=0, filename="bot.py")
        packages_drop(BotPackage.objects.filter(version__in=chosen, version__kept=0))
    return dropped
