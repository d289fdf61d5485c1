"""What the site takes on the disk, table by table, how fast that grows, and when it was last backed up."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from django.db import DatabaseError, OperationalError, connection, transaction
from django.utils import timezone

from arena.operations.models import Backup, TableSize

STORED_FOR: Final = timedelta(days=90)
WEEK: Final = timedelta(days=7)
SHOWN: Final = 12  # tables
BACKUPS_STORED: Final = 100
BACKUP_LATE: Final = timedelta(days=2)


@dataclass(frozen=True, slots=True)
class SizeShown:
    """A table's ``size`` in bytes, and by how much it has grown ``since``, a week ago or when it was first measured."""

    table: str
    size: int
    grown: int
    since: date | None


@dataclass(frozen=True, slots=True)
class SizesRead:
    """The largest tables, and all together; the last ``backup``, and whether it is too long ago."""

    tables: tuple[SizeShown, ...]
    whole: SizeShown | None
    backup: Backup | None
    is_late: bool


def sizes_measure() -> None:
    """Note how large each table is today. May be repeated: the last measure of a day counts."""
    today = timezone.now().date()
    for table, size in _sizes():
        TableSize.objects.update_or_create(table=table, day=today, defaults={"size": size})
    TableSize.objects.filter(day__lt=today - STORED_FOR).delete()


def sizes_read() -> SizesRead:
    """Return what was last measured, and the last backup."""
    backup = Backup.objects.first()
    is_late = backup is None or backup.made_at < timezone.now() - BACKUP_LATE
    last = TableSize.objects.order_by("-day").values_list("day", flat=True).first()
    if last is None:
        return SizesRead((), None, backup, is_late)
    rows = list(TableSize.objects.filter(day__gte=last - WEEK).order_by("day").values_list("table", "day", "size"))
    first: dict[str, tuple[date, int]] = {}
    for table, day, size in rows:
        first.setdefault(table, (day, size))
    now = {table: size for table, day, size in rows if day == last}
    since = min(day for _table, day, _size in rows)
    shown = [
        SizeShown(table, size, size - first[table][1], first[table][0] if first[table][0] < last else None)
        for table, size in sorted(now.items(), key=lambda one: -one[1])
    ]
    before = sum(size for _table, day, size in rows if day == since)
    whole = SizeShown("", sum(now.values()), sum(now.values()) - before, since if since < last else None)
    return SizesRead(tuple(shown[:SHOWN]), whole, backup, is_late)


def backup_note(*, size: int, sha256: str) -> None:
    """Note that a backup was made, for the page of operators."""
    with suppress(DatabaseError), transaction.atomic():  # before an upgrade the database lacks the table
        Backup.objects.create(size=size, sha256=sha256)
        kept = Backup.objects.values_list("pk", flat=True)[:BACKUPS_STORED]
        Backup.objects.exclude(pk__in=list(kept)).delete()


def _sizes() -> list[tuple[str, int]]:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT relname, pg_total_relation_size(oid) FROM pg_class"
                " WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace"
            )
            return list(cursor.fetchall())
        try:
            cursor.execute(
                "SELECT m.tbl_name, SUM(s.pgsize) FROM dbstat s JOIN sqlite_master m ON m.name = s.name"
                " WHERE s.aggregate = TRUE GROUP BY m.tbl_name"
            )
            return list(cursor.fetchall())
        except OperationalError:  # an SQLite that was built without it
            cursor.execute("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")
            return [("db.sqlite3", cursor.fetchone()[0])]
