"""Retention: delete old data that are no longer needed.

These are files of deleted and refused versions, games of checks, details of old faults, texts of old analyses, logs and
notes. Records, results and verdicts of faults are never deleted, because proofs need them. Every step is idempotent.
"""

from datetime import timedelta
from typing import Final, TypeVar

from django.conf import settings
from django.db.models import F, Q, QuerySet, Sum, Window
from django.db.models.functions import RowNumber

from bots.models import BotVersion, VersionState
from bots.packages import packages_refused_prune, version_packages_drop
from matches.analysis.services import analyses_drop
from matches.models import UNDECIDED, CheckGame, Fault, SeatLog, SeatNotes
from web.database import database_after, database_rows

FAULTS_KEPT_PER_VERSION: Final = 20
FAULTS_KEPT_PER_BOT: Final = 100
Row = TypeVar("Row", SeatLog, SeatNotes)


def retention_apply() -> None:
    """Delete all data that have been kept for their time."""
    packages_refused_prune()
    retention_files_drop()
    for place, most in (("seat__version", FAULTS_KEPT_PER_VERSION), ("seat__version__bot", FAULTS_KEPT_PER_BOT)):
        retention_faults_trim(by=place, most=most)
    retention_faults_empty(Fault.objects.filter(is_kept=True, seat__version__state=VersionState.DELETED))
    analyses_drop()
    retention_logs_drop()
    retention_notes_drop()
    retention_check_games_drop()


def retention_files_drop() -> int:
    """Delete the files of deleted versions, unless an unfinished match needs them. Return the number of versions."""
    deleted = BotVersion.objects.filter(state=VersionState.DELETED, kept__gt=0)
    return version_packages_drop(deleted.exclude(seats__match__state__in=UNDECIDED))


def retention_faults_trim(*, by: str, most: int) -> int:
    """Delete the details of faults, except for the newest ``most`` faults for each value of ``by``.

    Return the number of faults changed.
    """
    newest_first = Window(RowNumber(), partition_by=F(by), order_by=F("pk").desc())
    old = Fault.objects.filter(is_kept=True).annotate(place=newest_first).filter(place__gt=most)
    return retention_faults_empty(Fault.objects.filter(pk__in=list(old.values_list("pk", flat=True)[:10_000])))


def retention_faults_empty(faults: QuerySet[Fault]) -> int:
    """Delete the details of ``faults``, but not their verdicts, positions and times. Return the number of faults."""
    return database_rows(faults).update(
        is_kept=False, exception="", detail="", line=None, view=None, answer="", output=""
    )


def retention_logs_drop() -> int:
    """Delete logs that are older than ``OUTPUT_DAYS``, and logs of deleted bots and versions.

    Of each bot's other logs, delete the oldest beyond ``OUTPUT_BYTES_PER_BOT``. Return the number of logs.
    """
    old = SeatLog.objects.filter(created_at__lt=database_after(-timedelta(days=settings.OUTPUT_DAYS)))
    return _rows_delete(old) + _rows_trim(SeatLog.objects.all(), settings.OUTPUT_BYTES_PER_BOT)


def retention_notes_drop() -> int:
    """Delete the notes of deleted bots and versions, and the oldest of each bot beyond ``NOTES_BYTES_PER_BOT``.

    Return the number of rows.
    """
    return _rows_trim(SeatNotes.objects.all(), settings.NOTES_BYTES_PER_BOT)


def _rows_trim(rows: QuerySet[Row], most: int) -> int:
    """Delete the rows of deleted bots and versions, and the oldest rows of each bot beyond ``most`` bytes."""
    dropped = _rows_delete(rows.filter(Q(bot__deleted_at__isnull=False) | Q(seat__version__state=VersionState.DELETED)))
    sums = rows.order_by().values("bot").annotate(total=Sum("size"))
    for bot in sums.filter(total__gt=most).values_list("bot", flat=True):
        newest_first = Window(Sum("size"), order_by=F("pk").desc())
        dropped += _rows_delete(rows.filter(bot=bot).annotate(up_to=newest_first).filter(up_to__gt=most))
    return dropped


def _rows_delete(rows: QuerySet[Row]) -> int:
    """Delete at most 10,000 rows, because databases limit the length of a statement. The next call deletes more."""
    return rows.model._default_manager.filter(pk__in=list(rows.values_list("pk", flat=True)[:10_000])).delete()[0]


def retention_check_games_drop() -> int:
    """Delete the games of a check if the version's files were deleted or the attempt is void.

    Return the number of games.
    """
    gone = Q(version__kept=0) | Q(attempt__lt=F("version__check_attempt"))
    return CheckGame.objects.filter(pk__in=list(CheckGame.objects.filter(gone).values_list("pk", flat=True))).delete()[
        0
    ]
