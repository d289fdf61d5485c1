"""Retention: files of deleted and refused versions, games of checks, the contents of faults long past, what old
analyses tell, and what bots printed. Records, results and the verdict of each fault stay: proofs need them. Every
step may be repeated or interrupted.
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
    """Drop what is no longer kept."""
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
    """Drop the files of deleted versions that no match is still to play. Return how many."""
    deleted = BotVersion.objects.filter(state=VersionState.DELETED, kept__gt=0)
    return version_packages_drop(deleted.exclude(seats__match__state__in=UNDECIDED))


def retention_faults_trim(*, by: str, most: int) -> int:
    """Keep the contents of the newest ``most`` faults of each value of ``by``. Return how many lost theirs."""
    newest_first = Window(RowNumber(), partition_by=F(by), order_by=F("pk").desc())
    old = Fault.objects.filter(is_kept=True).annotate(place=newest_first).filter(place__gt=most)
    return retention_faults_empty(Fault.objects.filter(pk__in=list(old.values_list("pk", flat=True)[:10_000])))


def retention_faults_empty(faults: QuerySet[Fault]) -> int:
    """Leave of ``faults`` the verdict, the place and the times. Return how many."""
    return database_rows(faults).update(
        is_kept=False, exception="", detail="", line=None, view=None, answer="", output=""
    )


def retention_logs_drop() -> int:
    """Drop the logs of seats that are older than ``OUTPUT_DAYS`` or of something deleted, and of each bot the oldest
    beyond ``OUTPUT_BYTES_PER_BOT``. Return how many."""
    old = SeatLog.objects.filter(created_at__lt=database_after(-timedelta(days=settings.OUTPUT_DAYS)))
    return _rows_delete(old) + _rows_trim(SeatLog.objects.all(), settings.OUTPUT_BYTES_PER_BOT)


def retention_notes_drop() -> int:
    """Drop what bots said of their decisions: that of something deleted, and of each bot the oldest beyond
    ``NOTES_BYTES_PER_BOT``. Return how many rows."""
    return _rows_trim(SeatNotes.objects.all(), settings.NOTES_BYTES_PER_BOT)


def _rows_trim(rows: QuerySet[Row], most: int) -> int:
    """Delete what belongs to something deleted, and of each bot the oldest beyond ``most`` bytes."""
    dropped = _rows_delete(rows.filter(Q(bot__deleted_at__isnull=False) | Q(seat__version__state=VersionState.DELETED)))
    sums = rows.order_by().values("bot").annotate(total=Sum("size"))
    for bot in sums.filter(total__gt=most).values_list("bot", flat=True):
        newest_first = Window(Sum("size"), order_by=F("pk").desc())
        dropped += _rows_delete(rows.filter(bot=bot).annotate(up_to=newest_first).filter(up_to__gt=most))
    return dropped


def _rows_delete(rows: QuerySet[Row]) -> int:
    """Delete them, the statement no longer than databases take; the next sweep goes on where there are more."""
    return rows.model._default_manager.filter(pk__in=list(rows.values_list("pk", flat=True)[:10_000])).delete()[0]


def retention_check_games_drop() -> int:
    """Delete the games of versions whose file was deleted, and of void attempts. Return how many."""
    gone = Q(version__kept=0) | Q(attempt__lt=F("version__check_attempt"))
    return CheckGame.objects.filter(pk__in=list(CheckGame.objects.filter(gone).values_list("pk", flat=True))).delete()[
        0
    ]
