"""How much an author may keep here, and which files are no longer kept."""

from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet, Sum, Window
from django.db.models.functions import RowNumber
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _

from bots.models import BotPackage, BotVersion, VersionState
from bots.packages import packages_drop
from bots.upload_errors import Problem, UploadError

REFUSED_KEPT: Final = 3  # of a bot: the newest, to look at what was wrong


def bytes_kept(owner_id: int) -> int:
    """Return the bytes of all files that are kept for an author."""
    kept: int | None = BotVersion.objects.filter(bot__owner=owner_id).aggregate(kept=Sum("kept"))["kept"]
    return kept or 0


def room_require(*, owner_id: int, size: int) -> None:
    """Refuse a file of ``size`` bytes that the author has no room for. Call it with the author's row locked.

    Raises:
        UploadError: it would be more than ``settings.AUTHOR_BYTES_MOST``.
    """
    kept, most = bytes_kept(owner_id), settings.AUTHOR_BYTES_MOST
    if kept + size > most:
        raise UploadError(
            Problem.NO_ROOM,
            _("Your files take %(kept)s of %(most)s. Delete versions or bots that you no longer need.")
            % {"kept": filesizeformat(kept), "most": filesizeformat(most)},
        )


def refused_prune() -> int:
    """Drop the files of refused versions but the newest ``REFUSED_KEPT`` of each bot. Return how many."""
    newest_first = Window(RowNumber(), partition_by=F("bot"), order_by=F("number").desc())
    refused = BotVersion.objects.filter(state=VersionState.REFUSED, kept__gt=0).annotate(place=newest_first)
    old = list(refused.filter(place__gt=REFUSED_KEPT).values_list("pk", flat=True))
    return files_drop(BotVersion.objects.filter(pk__in=old, state=VersionState.REFUSED))


def files_drop(versions: QuerySet[BotVersion]) -> int:
    """Keep of ``versions`` the SHA-256 and the size, not the file nor its name. Return how many."""
    with transaction.atomic():
        chosen = list(versions.filter(kept__gt=0).values_list("pk", flat=True))
        dropped = versions.filter(pk__in=chosen, kept__gt=0).update(kept=0, filename="bot.py")
        packages_drop(BotPackage.objects.filter(version__in=chosen, version__kept=0))
    return dropped
