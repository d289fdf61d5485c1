"""Snapshots: computed data of a topic, stored in the database with the revision of the topic.

A snapshot contains only data: no HTML, nothing in one language, nothing about one reader. If a snapshot of a small
topic is stale, the next reader computes it. Snapshots of large topics are computed by a worker, which spends a limited
part of its time on them. Meanwhile readers get the stale snapshot, and the time at which they should look for a fresh
one. If no worker does what was requested, a reader computes the snapshot.

The revision is read before the data, so the data are never older than the revision. A row is replaced only by a later
revision, or by a later computation of the same revision. The second case occurs because some parts depend on data that
do not change the revision, such as analyses. The code that stores such data requests the next computation.
"""

import logging
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from time import sleep, thread_time, time
from typing import Any, Final, Generic, TypeAlias, TypeVar, overload

import msgspec
from django.core.cache import caches
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from web.models import Snapshot

logger = logging.getLogger(__name__)

Value = TypeVar("Value")
Line = TypeVar("Line")
Other = TypeVar("Other")
Moment: TypeAlias = tuple[int, datetime]  # the revision of a topic, and the time in the database when it was read
REFRESH_EVERY: Final = 1.0  # least seconds between two computations
LATE: Final = 15.0  # seconds after which a reader no longer waits for the worker that was requested
# Seconds after the time for which a refresh was requested; until then it is not requested again.
REQUESTED: Final = 60.0
COMPUTING: Final = 20  # most seconds for which a computation that has begun keeps others from beginning one
WAITED: Final = 5.0  # seconds that a reader who needs current data waits while somebody else computes them
LOOK: Final = 0.05  # seconds between two looks of a waiting reader
PENDING: Final = 30.0  # seconds after which a snapshot with data still to come is computed again
STORED_FOR: Final = timedelta(days=30)  # after this it is deleted, and the next reader computes it again
# A level of zlib. It compresses the standings of 1,000 entries from 154 kB to 30 kB in 1.3 ms, and halves the time
# that PostgreSQL takes to write them.
FAST: Final = 1
NEVER: Final = datetime.fromtimestamp(0, UTC)
UPSERT: Final = """
INSERT INTO web_snapshot (topic, part, revision, made_at, refresh_at, payload) VALUES (%s, %s, %s, %s, %s, %s)
ON CONFLICT (topic, part) DO UPDATE SET revision = excluded.revision, made_at = excluded.made_at,
refresh_at = excluded.refresh_at, payload = excluded.payload
WHERE (web_snapshot.revision, web_snapshot.made_at) <= (excluded.revision, excluded.made_at)
"""  # neither the ORM's update() nor its bulk_create() is both an insert and conditional


@dataclass(frozen=True, slots=True)
class SnapshotKey:
    """The ``part`` of a ``topic``, e.g. "standings.7" of "tournament.5"."""

    topic: str
    part: str

    def __str__(self) -> str:
        return f"{self.topic}/{self.part}"


@dataclass(frozen=True, slots=True)
class StoredPart(Generic[Value]):
    """A ``value`` for a ``revision``, computed from the state of the database at ``made_at`` or later.

    ``stale_until`` is 0 if the value is current. Otherwise it is the time at which a fresher value may exist, in
    seconds since the epoch.
    """

    value: Value
    revision: int
    made_at: datetime
    refresh_at: datetime
    stale_until: float = 0

    @property
    def is_stale(self) -> bool:
        return bool(self.stale_until)

    @property
    def version(self) -> str:
        """A string that differs between any two stored computations."""
        return f"{self.revision}.{self.made_at.timestamp()}"


def snapshot_write(key: SnapshotKey, moment: Moment, refresh_at: datetime, payload: bytes) -> bool:
    """Store a payload whose data were read after ``moment``, unless the row is newer. Return whether it was stored."""
    packed = zlib.compress(payload, FAST)
    revision, made_at = moment
    row = Snapshot(
        topic=key.topic, part=key.part, revision=revision, made_at=made_at, refresh_at=refresh_at, payload=packed
    )
    fields = [one for one in Snapshot._meta.concrete_fields if not one.primary_key]  # in the order of ``UPSERT``
    with connection.cursor() as cursor:
        adapted = [one.get_db_prep_save(getattr(row, one.attname), connection) for one in fields]
        cursor.execute(UPSERT, adapted)
        return bool(cursor.rowcount)


def snapshots_forget() -> int:
    """Delete snapshots that are older than ``STORED_FOR``, whether or not their topic exists. Return how many."""
    return Snapshot.objects.filter(made_at__lt=timezone.now() - STORED_FOR).delete()[0]


@dataclass(frozen=True, slots=True)
class SnapshotPart(Generic[Value]):
    """How a part is computed, stored and refreshed.

    ``moment`` reads the revision of the topic, and ``compute`` computes the data. ``send(seconds)`` sends a task that
    calls ``refresh`` after that many seconds. Computations take at most 1/``refresh_ratio`` of a processor's time; if
    ``refresh_ratio`` is 0, the part may be computed whenever it is stale. A stored value for which ``is_valid`` returns
    False is ignored. ``is_pending`` returns True for a value that still lacks data, if these will not change the
    revision when they arrive. ``stored`` is called after the commit with the replaced part, or None if it is not known,
    and the new part.
    """

    key: SnapshotKey
    moment: Callable[[], Moment]
    compute: Callable[[], Value]
    encode: Callable[[Value], bytes]
    decode: Callable[[bytes], Value]
    send: Callable[[float], None]
    refresh_ratio: int
    is_valid: Callable[[Value], bool] = lambda _value: True
    is_pending: Callable[[Value], bool] = lambda _value: False
    stored: "Callable[[StoredPart[Value] | None, StoredPart[Value]], None] | None" = None

    def read(self, may_be_stale: Callable[[Value], bool], substitute: Value | None = None) -> StoredPart[Value]:
        """Return the stored part if it is current or ``may_be_stale(value)`` is true; otherwise compute the part.

        If a stale part may be returned, request the next computation, or compute the part here if a worker has not done
        what was requested. If no part is stored, ``substitute`` is used as a stale value.
        """
        moment, found = self._look()
        if found is None and substitute is not None:
            found = StoredPart(substitute, 0, NEVER, NEVER, time() + 1)
        if found is not None and (not found.is_stale or may_be_stale(found.value)):
            return self._revalidated(found)
        for _ in range(int(WAITED / LOOK)):
            if self._begins():
                break
            sleep(LOOK)
            moment, found = self._look()
            if found is not None and not found.is_stale:
                return found
        return self.recompute(moment, found)

    def refresh(self) -> None:
        """Compute and store the part; called by the requested task.

        Before ``refresh_at``, or while somebody else computes the part, send the request again for later, so that the
        latest changes are not lost.
        """
        caches["optional"].delete(self._requested)
        moment, found = self._look()
        if (found is not None and time() < found.refresh_at.timestamp()) or not self._begins():
            self._request(found, REFRESH_EVERY)
        else:
            self.recompute(moment, found)

    def request(self, *, only_stored: bool = False) -> None:
        """Request a refresh, unless one is already requested. With ``only_stored``, do so only if a snapshot exists."""
        requested: float | None = caches["optional"].get(self._requested)
        if requested is None or not self.refresh_ratio:
            _, found = self._look()
            if found is not None or not only_stored:
                self._request(found)

    def recompute(self, moment: Moment | None = None, replaced: StoredPart[Value] | None = None) -> StoredPart[Value]:
        """Compute the part here and store it, even if somebody else is computing it.

        ``moment`` is the current moment by default. ``replaced`` is the stored part, if the caller has read it.
        """
        begun, worked, moment = time(), thread_time(), moment or self.moment()
        try:
            payload = self.encode(self.compute())
            pause = max(REFRESH_EVERY, self.refresh_ratio * (thread_time() - worked))
            refresh_at = datetime.fromtimestamp(begun + pause, UTC)
            part = StoredPart(self.decode(payload), *moment, refresh_at)
            self._store(part, payload, replaced)
            caches["optional"].delete(self._requested)
            return part
        finally:
            caches["optional"].delete(self._busy)

    def _store(self, part: StoredPart[Value], payload: bytes, replaced: StoredPart[Value] | None) -> None:
        try:
            is_latest = snapshot_write(self.key, (part.revision, part.made_at), part.refresh_at, payload)
        except DatabaseError:
            if connection.in_atomic_block:
                raise  # the transaction is broken and accepts no further query
            logger.exception("the snapshot %s was not stored; the next reader computes it again", self.key)
            return
        if is_latest and self.stored:
            transaction.on_commit(partial(self.stored, replaced, part), robust=True)

    def _look(self) -> tuple[Moment, StoredPart[Value] | None]:
        """Return the current moment and the stored part; None if no part with this format and a valid value exists."""
        moment = self.moment()
        rows = Snapshot.objects.filter(topic=self.key.topic, part=self.key.part)
        row = rows.values_list("revision", "made_at", "refresh_at", "payload").first()
        if row is None:
            return moment, None
        try:
            value = self.decode(zlib.decompress(row[3]))
        except (zlib.error, msgspec.MsgspecError):
            return moment, None
        if not self.is_valid(value):
            return moment, None
        found, now = StoredPart(value, *row[:3]), time()
        again = found.refresh_at.timestamp()
        is_current = found.revision >= moment[0] and not (now > again + PENDING and self.is_pending(value))
        if not is_current:
            may_begin = found.refresh_at if self.refresh_ratio else NEVER
            found = replace(found, refresh_at=may_begin, stale_until=max(may_begin.timestamp(), now + 1))
        return moment, found

    def _revalidated(self, found: StoredPart[Value]) -> StoredPart[Value]:
        """Return ``found``, having requested the next one if it is stale and may be refreshed."""
        if not found.is_stale or time() < found.refresh_at.timestamp():
            return found
        requested: float | None = caches["optional"].get(self._requested)
        if requested is None or requested > time() + REFRESH_EVERY:
            self._request(found)
            return self._look()[1] or found
        return self.recompute(None, found) if time() - requested > LATE and self._begins() else found

    def _request(self, found: StoredPart[Value] | None, wait: float = 0.0) -> None:
        """Send a task that refreshes the part as soon as that is allowed, but not before ``wait`` seconds have passed.

        Do nothing if a task was already sent for about that time or earlier.
        """
        cache, key, now = caches["optional"], self._requested, time()
        due = max(now + wait, found.refresh_at.timestamp() if found else 0)
        requested: float | None = cache.get(key)
        if requested is not None and requested > due + REFRESH_EVERY:
            cache.delete(key)  # that task was sent when the next refresh was allowed only later
        if cache.add(key, due, due - now + REQUESTED):
            self.send(due - now)

    def _begins(self) -> bool:
        """Claim the computation. Return False if somebody else is computing the part."""
        return caches["optional"].add(self._busy, 1, COMPUTING)

    @property
    def _requested(self) -> str:
        return f"snapshot/{self.key}/requested"

    @property
    def _busy(self) -> str:
        return f"snapshot/{self.key}/busy"


class _EncodedTable(msgspec.Struct, frozen=True, array_like=True):
    form: int
    head: msgspec.Raw
    lines: list[msgspec.Raw]


def snapshot_table_encode(form: int, head: object, lines: Iterable[object]) -> bytes:
    """Return the payload of a table with a ``head`` and ``lines``; ``form`` is the number of the format."""
    encode = msgspec.msgpack.encode
    return encode(_EncodedTable(form, msgspec.Raw(encode(head)), [msgspec.Raw(encode(line)) for line in lines]))


def snapshot_table_decode(payload: bytes, form: int, head: type[Value]) -> tuple[Value, list[msgspec.Raw]]:
    """Return the head of a table, and its lines, which are not decoded.

    Raises:
        msgspec.MsgspecError: it is not of this format.
    """
    table = msgspec.msgpack.decode(payload, type=_EncodedTable)
    if table.form != form:
        raise msgspec.ValidationError(f"the format {table.form}, not {form}")
    return msgspec.msgpack.decode(table.head, type=head), table.lines


class Lines(Sequence[Line]):
    """The lines of a table, each decoded when it is read. Equal to any tuple of equal lines."""

    def __init__(self, encoded: Sequence[msgspec.Raw], decode: Callable[[msgspec.Raw], Line]) -> None:
        self._encoded, self._decode = encoded, decode

    def read_as(self, decode: Callable[[msgspec.Raw], Other]) -> "Lines[Other]":
        """Return the same lines, decoded by another function, such as one that reads a single field."""
        return Lines(self._encoded, decode)

    def __len__(self) -> int:
        return len(self._encoded)

    @overload
    def __getitem__(self, at: int) -> Line: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[Line, ...]: ...

    def __getitem__(self, at: int | slice) -> Line | tuple[Line, ...]:
        found: Any = self._encoded[at]
        return tuple(map(self._decode, found)) if isinstance(at, slice) else self._decode(found)

    def __iter__(self) -> Iterator[Line]:
        return map(self._decode, self._encoded)

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, Lines | tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))
